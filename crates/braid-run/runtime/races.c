// What happened before what: vector clocks for data races, hashes for schedules that make no difference.
//
// Two accesses race if they touch the same byte, one of them writes, one of them is not atomic, and neither happened
// before the other. Locks, semaphores, barriers, starting and joining threads order accesses; so do atomic operations,
// all of them as if they were sequentially consistent, and atomic sections among each other.
//
// The hash of a thread stands for all that happened before its last step. The hash of the state combines those of all
// threads: equal hashes mean equal orders of dependent steps, and so equal states.

static struct clock *new_clock(uint32_t size) {
  uint32_t room = (size + 7) & ~7u;
  size_t bytes = sizeof(struct clock) + room * sizeof(uint32_t);
  if (world->clocks + world->clocks_used + bytes > world->clocks_end) {
    say("more clocks than there is memory for");
    end(EXHAUSTED, NULL);
  }
  struct clock *clock = (struct clock *)(world->clocks + world->clocks_used);
  world->clocks_used += bytes;
  clock->size = room;
  memset(clock->at, 0, room * sizeof(uint32_t));
  return clock;
}

static void join_clock(struct clock **into, const struct clock *from) {
  if (!from) return;
  if (!*into || (*into)->size < from->size) {
    struct clock *larger = new_clock(from->size);
    if (!larger) return;
    if (*into) memcpy(larger->at, (*into)->at, (*into)->size * sizeof(uint32_t));
    *into = larger;
  }
  uint32_t *at = (*into)->at;
  for (uint32_t i = 0; i < from->size; i++)
    if (from->at[i] > at[i]) at[i] = from->at[i];
}

HOT uint32_t known(const struct clock *clock, uint32_t thread) { return clock && thread < clock->size ? clock->at[thread] : 0; }

static void tick(int number) {
  struct thread *thread = &world->threads[number];
  if (!thread->clock || thread->clock->size <= (uint32_t)number) {
    struct clock *larger = new_clock((uint32_t)number + 1);
    if (!larger) return;
    if (thread->clock) memcpy(larger->at, thread->clock->at, thread->clock->size * sizeof(uint32_t));
    thread->clock = larger;
  }
  thread->clock->at[number]++;
}

HOT int tracks(void) { return world->check_races && world->count <= RACERS; }

// The running thread's last step now is this.
HOT void advance_hash(uint64_t what) {
  struct thread *thread = self();
  uint64_t salt = (uint64_t)world->current * 0x9e3779b97f4a7c15u;
  world->state_hash -= mix(thread->hash + salt);
  thread->hash = mix(thread->hash ^ what);
  world->state_hash += mix(thread->hash + salt);
}

// What the running thread did before is before what others do after they acquire the object; and the other way round.
static void release(struct object *object) {
  if (object->address != &world->atomic) self()->section_pointer = NULL;  // this cannot be taken back
  advance_hash((uintptr_t)object->address * 3 + object->hash);
  object->hash = self()->hash;
  if (!tracks()) return;
  join_clock(&object->clock, self()->clock);
  tick(world->current);
}
static void acquire(struct object *object) {
  if (object->address != &world->atomic) self()->section_pointer = NULL;
  advance_hash((uintptr_t)object->address * 5 + object->hash);
  object->hash = self()->hash;
  if (tracks()) join_clock(&self()->clock, object->clock);
}

static void order_threads(int before, int after) {
  struct thread *first = &world->threads[before], *second = &world->threads[after];
  uint64_t salt = (uint64_t)after * 0x9e3779b97f4a7c15u;
  world->state_hash -= mix(second->hash + salt);
  second->hash = mix(second->hash + first->hash * 7);
  world->state_hash += mix(second->hash + salt);
  if (!tracks()) return;
  join_clock(&second->clock, first->clock);
  tick(before);
}

// The cell of an address, made if there is none.
static struct cell *find_cell(uintptr_t granule) {
  uintptr_t at = (granule ^ granule >> 21) & (CELLS - 1);
  for (int tries = 0; tries < 256; tries++, at = (at + 1) & (CELLS - 1)) {
    struct cell *cell = &world->cells[at];
    if (cell->granule == granule + 1) return cell;
    if (cell->granule) continue;
    if (world->cell_count > CELLS / 2) break;
    world->cell_count++;
    cell->granule = granule + 1, cell->owner = (uint16_t)world->current;
    return cell;
  }
  world->untracked = 1;
  return NULL;
}

HOT struct cell *cell_at(uintptr_t granule) {
  struct cell *last = world->last_cell;
  if (last && last->granule == granule + 1) return last;
  last = find_cell(granule);
  if (last) world->last_cell = last;
  return last;
}

HOT void freshen(struct cell *cell) {
  if (cell->run == world->run) return;
  cell->run = world->run, cell->write_hash = 0, cell->read_hash = 0, cell->accesses = NULL;
}

// Who was here, over all runs.
HOT void note_thread(struct cell *cell, int kind) {
  if (!cell->shared && cell->owner != (uint16_t)world->current) cell->shared = 1, world->newly_shared++;
  if (!cell->written && (kind & WRITES) && world->count > 1) cell->written = 1, world->newly_shared++;
}

COLD static void race(struct cell *cell, struct access *other, int kind, void *pc) {
  world->other_pc = other->pc, world->other = (int)other->thread;
  world->fault = (cell->granule - 1) * 8 + (uint64_t)__builtin_ctz(other->mask);
  say("%s %s", kind & WRITES ? "write" : "read", other->kind & WRITES ? "write" : "read");
  end(RACED, pc);
}

static void check_race(struct cell *cell, uint8_t mask, int kind, void *pc) {
  struct clock *clock = self()->clock;
  struct access *mine = NULL, **link = &cell->accesses;
  uint32_t current = (uint32_t)world->current;
  while (*link) {
    struct access *other = *link;
    if (other->thread == current) {
      if (other->kind == kind && other->mask == mask) mine = other;
    } else if (other->mask & mask && (other->kind | kind) & WRITES && !(other->kind & kind & ATOMIC)) {
      if (other->clock > known(clock, other->thread)) race(cell, other, kind, pc);
      // A write that comes after it stands for it.
      if (kind == WRITES && (other->mask & ~mask) == 0) {
        *link = other->next;
        continue;
      }
    }
    link = &other->next;
  }
  if (!mine) {
    mine = &world->accesses[world->access_count];
    if (world->access_count < CELLS) world->access_count++;
    mine->next = cell->accesses, cell->accesses = mine;
    mine->thread = current, mine->mask = mask, mine->kind = (uint8_t)kind;
  }
  mine->clock = known(clock, current), mine->pc = pc;
}

// An access happens now.
HOT void note_access(struct cell *cell, uint8_t mask, int kind, void *pc) {
  freshen(cell);
  note_thread(cell, kind);
  if (!(cell->shared && cell->written) && !world->check_races) return;
  uint64_t place = cell->granule * 2 + (kind & 1);
  if (kind & WRITES) {
    advance_hash(place + cell->write_hash * 3 + cell->read_hash);
    cell->write_hash = self()->hash, cell->read_hash = 0;
  } else {
    advance_hash(place + cell->write_hash);
    cell->read_hash += mix(self()->hash);
  }
  if (tracks()) check_race(cell, mask, kind, pc);
}

// The memory is new: what was there before is forgotten.
static void forget_accesses(void *at, size_t size) {
  if (!world || !world->running || !tracks()) return;
  uintptr_t first = (uintptr_t)at / 8, last = ((uintptr_t)at + size + 7) / 8;
  if (last - first > 4096) last = first + 4096;
  for (uintptr_t granule = first; granule < last; granule++) {
    uintptr_t index = (granule ^ granule >> 21) & (CELLS - 1);
    while (world->cells[index].granule && world->cells[index].granule != granule + 1) index = (index + 1) & (CELLS - 1);
    if (world->cells[index].granule) world->cells[index].accesses = NULL;
  }
}
