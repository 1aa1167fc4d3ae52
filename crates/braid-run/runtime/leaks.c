// Blocks that are left when the program ends: those that it allocated itself, in this run.
//
// `valid-memcleanup` wants none of them. `valid-memtrack` allows those to which static memory leads, through any number of
// blocks. Whatever looks like an address is one, so no block is called lost that is not.

enum { BLOCKS_LEFT = 1 << 20 };

struct left_block {
  char *start;
  size_t size;
  int reached;
};

static struct left_block *left;  // as long as they are looked for
static size_t left_count;

static void find_left(void) {
  for (size_t unit = snapshot->heap_used / 16 + 1; unit < heap.used / 16 && left_count < BLOCKS_LEFT; unit++) {
    if (!heap.valid[unit] || heap.valid[unit] == GONE || heap.valid[unit - 1]) continue;
    char *start = heap.arena + unit * 16;
    struct header *block = (struct header *)start - 1;
    left[left_count++] = (struct left_block){start, block->size, 0};
    unit += (block->size + 15) / 16;
  }
}

static struct left_block *left_around(char *at) {
  size_t low = 0, high = left_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (left[middle].start <= at) low = middle + 1;
    else high = middle;
  }
  return low && at <= left[low - 1].start + left[low - 1].size ? &left[low - 1] : NULL;
}

// Marks what some memory points to; is there something new?
static int reach_from(char *from, char *to) {
  int news = 0;
  for (char *at = (char *)(((uintptr_t)from + 7) & ~7ul); at + 8 <= to; at += 8) {
    char *pointer = *(char **)at;
    struct left_block *block = in_heap(pointer) ? left_around(pointer) : NULL;
    if (block && !block->reached) block->reached = news = 1;
  }
  return news;
}

static void find_reached(void) {
  for (int i = 0; i < snapshot->count; i++)
    reach_from(snapshot->regions[i].at, snapshot->regions[i].at + snapshot->regions[i].size);
  if (world->tls_size) reach_from(world->tls, world->tls + world->tls_size);
  for (int i = 0; i < world->count; i++) {
    struct thread *thread = &world->threads[i];
    reach_from((char *)thread->specific, (char *)(thread->specific + KEYS));
    if (thread->tls && world->block_first) reach_from(thread->tls, thread->tls + world->block_size);
  }
  for (int news = 1; news;) {
    news = 0;
    for (size_t i = 0; i < left_count; i++) {
      if (left[i].reached != 1) continue;
      left[i].reached = 2;
      news |= reach_from(left[i].start, left[i].start + left[i].size);
    }
  }
}

// The program ends, with all that it has allocated: how?
static enum end with_leaks(enum end how) {
  if (!world->leaks || world->exit_handlers) return how;
  left = world->left, left_count = 0;
  find_left();
  if (world->leaks == LOST_BLOCKS && left_count) find_reached();
  for (size_t i = 0; i < left_count; i++) {
    void *site = ((struct header *)left[i].start - 1)->site;
    if (left[i].reached || !in_program(site)) continue;
    world->other_pc = site, world->fault = (uintptr_t)left[i].start;
    say("%s", world->leaks == LOST_BLOCKS ? "is not freed at the end, and nothing leads to it" : "is not freed at the end");
    return LEAKED;
  }
  return how;
}
