// The search for a run that ends as wanted.
//
// Two trees of runs, one by preemptions and one by delays: a run with some deviations from the rule has as children the
// runs with one more, at a later step. Runs with few deviations come first. A deviation that leads to a state that was
// met before, with the same thread going on, is not tried again: states are compared by their hashes of what happened
// before what. In between come runs by priorities (PCT) and at random, which get to places that are many deviations away.

enum { NODES = 1 << 22, LEVELS = 64, SEEN = 1 << 22 };

struct node {
  uint32_t parent;      // 0 for none
  uint32_t thread;
  uint64_t step;
  uint32_t inputs;      // which values the program is given
};
struct tree {
  struct node *nodes;
  uint32_t count;
  struct { uint32_t *nodes, count; } levels[LEVELS];
  int level;            // that is tried now
};
struct search_state {
  struct tree trees[3];
  uint64_t *seen;
  uint64_t seen_count;
  uint64_t *behaviours;
  uint64_t behaviour_count;
  uint64_t runs, steps, ends[ENDS], repeated;
  uint64_t since_news;  // runs since something new was seen
  uint64_t seed;
  uint32_t inputs;      // values that were given so far, as numbers of seeds
  int uses_inputs;
  uint64_t horizon;     // points of runs so far, for PCT
  int most_threads, deepest_level;
  uint64_t limit, long_limit, long_steps;  // steps of short runs, of long runs, of all long runs so far
  uint64_t long_runs, most_steps;          // long runs that did not end; the most steps of one that did
  double reported;      // when progress was last reported
  int is_long;
  uint64_t unmet;       // runs in which an assumption failed
  int crowded;          // did a run want more threads than it might have?
  uint64_t tainted;     // runs that ended as wanted, but after an overflow
  struct { void *pc; char message[MESSAGE]; } asides[ENDS];  // of the first run that ended so
};

static int is_new(uint64_t *set, uint64_t *count, uint64_t key) {
  key |= 1;
  if (*count > SEEN / 4 * 3) return 1;
  for (uint64_t at = mix(key) & (SEEN - 1);; at = (at + 1) & (SEEN - 1)) {
    if (set[at] == key) return 0;
    if (set[at]) continue;
    set[at] = key;
    ++*count;
    return 1;
  }
}

static void open_search(uint64_t seed, uint64_t limit) {
  search = reserve(sizeof *search);
  search->seed = seed, search->limit = limit, search->long_limit = limit * 2;
  search->seen = reserve(SEEN * sizeof(uint64_t)), search->behaviours = reserve(SEEN * sizeof(uint64_t));
  for (int i = 0; i < 3; i++) {
    search->trees[i].nodes = reserve(NODES * sizeof(struct node)), search->trees[i].count = 1;
    for (int level = 0; level < LEVELS; level++) search->trees[i].levels[level].nodes = reserve(NODES * sizeof(uint32_t));
  }
}

static void add_node(struct tree *tree, struct node node, int level) {
  if (tree->count >= NODES || level >= LEVELS) return;
  tree->nodes[tree->count] = node;
  tree->levels[level].nodes[tree->levels[level].count++] = tree->count++;
  if (level < tree->level) tree->level = level;
}

static uint32_t take_node(struct tree *tree) {
  while (tree->level < LEVELS && tree->levels[tree->level].count == 0) tree->level++;
  if (tree->level == LEVELS) return 0;
  // Any one of the level: there may be too many for the time.
  uint32_t *nodes = tree->levels[tree->level].nodes, last = --tree->levels[tree->level].count;
  uint64_t before = world->random;
  world->random = search->runs * 0x9e3779b97f4a7c15u + 1;
  uint32_t at = random_below(last + 1ull), chosen = nodes[at];
  world->random = before;
  nodes[at] = nodes[last];
  return chosen;
}

// The seed of inputs 0 gives zeros.
static void set_inputs(uint32_t number) {
  world->random = mix(search->seed * 1000003 + number + 1) | 1;
  world->style = number < STYLES ? (int)number : (int)(number % (STYLES - 2) + 2);
  world->moody = number % 2;
}

static int compare_changes(const void *a, const void *b) {
  uint64_t x = ((const struct change *)a)->step, y = ((const struct change *)b)->step;
  return x < y ? -1 : x > y;
}

// Runs a node of a tree, and adds its children.
static void run_node(int kind, uint32_t number) {
  struct tree *tree = &search->trees[kind];
  struct node *node = &tree->nodes[number];
  world->schedule = kind == 2 ? GUIDED : kind == 0 ? PREEMPTIONS : DELAYS;
  world->planned_count = 0;
  world->after = node->step;
  for (uint32_t at = number; at && tree->nodes[at].step; at = tree->nodes[at].parent)
    if (world->planned_count < 4096) world->planned[world->planned_count++] = (struct change){tree->nodes[at].step, tree->nodes[at].thread};
  qsort(world->planned, world->planned_count, sizeof *world->planned, compare_changes);
  int level = tree->level;
  set_inputs(node->inputs);
  run_once();
  if (level > search->deepest_level) search->deepest_level = level;
  for (uint32_t i = 0; i < world->point_count; i++) {
    struct point *point = &world->points[i];
    if (point->cell && !(point->cell->shared && point->cell->written)) continue;
    for (int k = 0; k < point->count; k++) {
      uint64_t key = mix(point->hash + (uint64_t)kind) ^ mix(point->others[k] + 77ull * node->inputs);
      if (!is_new(search->seen, &search->seen_count, key)) { search->repeated++; continue; }
      int cost = kind || !point->forced;
      add_node(tree, (struct node){number, point->others[k], point->step, node->inputs}, level + cost);
    }
  }
}

static void run_at_random(uint64_t number) {
  world->schedule = number % 2 ? RANDOM : PRIORITIES;
  world->planned_count = 0;
  set_inputs(search->uses_inputs ? (uint32_t)(number % 3 ? number : number % 9 ? BITS : number / 9 % STYLES) : (uint32_t)(number % 8 == 7 ? STYLES + 1 : STYLES));
  world->random = mix(search->seed + number * 0x9e3779b97f4a7c15u) | 1;
  static const uint64_t chances[] = {2, 4, 16, 64, 3, 8, 32, 256};
  world->chance = chances[number / 2 % 8];
  world->quantum = number % 4 == 1 ? (int)(number / 4 % 12) + 1 : 0;
  world->lowered_count = (int)(number / 2 % 6);
  for (int i = 0; i < world->lowered_count; i++) world->lowered[i] = random_bits() % (search->horizon + 2);
  run_once();
}

static void add_roots(void) {
  uint32_t inputs = search->inputs++;
  for (int i = guide ? 2 : 0; i < (guide ? 3 : 2); i++) add_node(&search->trees[i], (struct node){.inputs = inputs}, 0);
}

static int is_wanted(void) { return wants(world->end); }

// Takes stock of a run; is it what is wanted?
static int account(void) {
  if (!search->ends[world->end]) {
    search->asides[world->end].pc = world->pc;
    memcpy(search->asides[world->end].message, world->message, MESSAGE);
  }
  if (search->is_long) {
    search->long_steps += world->step;
    if (world->end == ENDLESS && search->long_limit < 50000000 && ++search->long_runs % 8 == 0) search->long_limit *= 2;
  }
  search->runs++, search->steps += world->step, search->ends[world->end]++;
  for (uint32_t i = 0; i < world->input_count; i++) search->uses_inputs |= world->inputs[i].name[0] != '-';
  if (world->end != ENDLESS && world->step > search->most_steps && !search->is_long) search->most_steps = world->step;
  search->unmet += (uint64_t)world->assumption_failed;
  search->crowded |= world->count >= world->most_threads;
  if (world->count > search->most_threads) search->most_threads = world->count;
  if (world->shared_points > search->horizon) search->horizon = world->shared_points;
  int news = is_new(search->behaviours, &search->behaviour_count, world->state_hash) && world->end != ENDLESS;
  if (world->newly_shared) {
    news = 1;
    if (guide) add_node(&search->trees[2], (struct node){.inputs = 0}, 0);
    add_node(&search->trees[0], (struct node){.inputs = 0}, 0);
    add_node(&search->trees[1], (struct node){.inputs = 0}, 0);
  }
  search->since_news = news ? 0 : search->since_news + 1;
  if (!is_wanted()) return 0;
  if (world->overflowed && !world->check_overflow) {
    search->tainted++;
    return 0;
  }
  return 1;
}

// Bounds of a run: most runs are short and have few threads, but half of the time is for those that need more.
static void set_bounds(void) {
  static const int rooms[] = {5, 12, 3, 40, 8, 300};
  uint64_t endless = search->ends[ENDLESS], run = search->runs;
  world->most_threads = !search->crowded ? 100 : run % 64 ? rooms[run % 6] : run % 1024 ? 1000 : THREADS;
  if (guide && run % 8 < 7) world->most_threads = guide->count;
  int longer = endless && search->long_steps * 3 < search->steps;
  search->is_long = longer;
  world->limit = longer ? search->long_limit : search->limit;
  // Where many runs do not end, a few times the steps of those that do will do.
  if (!longer && endless * 4 > search->runs && endless > 8) {
    uint64_t enough = search->most_steps * 4 + 5000;
    if (enough < world->limit) world->limit = enough;
  }
  world->restartable = search->unmet * 8 > search->runs;
}

enum { ENOUGH = 20000 };  // runs without anything new after which the search ends

static int trees_are_done(void) {
  for (int i = 0; i < 2; i++)
    for (int level = search->trees[i].level; level < LEVELS; level++)
      if (search->trees[i].levels[level].count) return 0;
  return 1;
}

static double seconds_since(const struct timespec *start) {
  struct timespec at;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &at);
  return (double)(at.tv_sec - start->tv_sec) + (double)(at.tv_nsec - start->tv_nsec) / 1e9;
}

static void report_figures(void);

// Now and then, how far the search has got: it may be stopped at any time.
static void report_progress(double spent) {
  if (spent < search->reported + 0.25) return;
  search->reported = spent;
  report_figures();
}

// Runs at random only, until something is found.
static int shake(uint64_t most_runs, double seconds) {
  struct timespec start;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &start);
  while (search->runs < most_runs && seconds_since(&start) < seconds) {
    set_bounds();
    run_at_random(search->runs);
    if (account()) return 1;
  }
  return 0;
}

// Runs as a guide says, then with few deviations from it, then others with the same inputs. A violation elsewhere than in
// the guide counts after a while.
static int follow(double seconds) {
  struct timespec start;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &start);
  add_roots();
  uint64_t random_runs = 0;
  for (uint64_t turn = 0;; turn++) {
    double spent = seconds_since(&start);
    if (spent > seconds) return 0;
    set_bounds();
    uint32_t node = 0;
    int near = turn < 500 && turn % 8 != 7;
    int kind = near || turn % 4 < 2 ? 2 : 0;
    if (near || turn % 4 < 3 || turn < 16) node = take_node(&search->trees[kind]);
    if (node) run_node(kind, node);
    else run_at_random(random_runs++);
    if (account() && (at_target() || spent > seconds / 2)) return 1;
    if (turn % 64 == 3) add_roots();
    if (turn == 6) add_node(&search->trees[0], (struct node){.inputs = 0}, 0);
  }
}

// Searches until something is found, all was tried in vain for long, or time is up.
static int find(uint64_t most_runs, double seconds) {
  struct timespec start;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &start);
  add_roots();
  uint64_t random_runs = 0;
  for (uint64_t turn = 0; search->runs < most_runs; turn++) {
    double spent = seconds_since(&start);
    if (spent > seconds) return 0;
    report_progress(spent);
    set_bounds();
    uint32_t node = 0;
    int kind = turn % 4 == 1;
    if (turn % 4 < 2) node = take_node(&search->trees[kind]);
    if (node) run_node(kind, node);
    else run_at_random(random_runs++);
    if (account()) return 1;
    if (search->uses_inputs && turn % 256 == 3) add_roots();
    int exhausted = trees_are_done();
    if (exhausted && search->since_news > ENOUGH) return 0;
  }
  return 0;
}
