static int guided_choice(int stays, struct cell *cell, void *pc) { return stays ? world->current : next_after(world->current); }
static int64_t guided_input(const char *name, int64_t otherwise, void *pc) { return otherwise; }
