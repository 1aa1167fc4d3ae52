// Who goes on: after each step that others can see, and whenever a thread cannot go on.
//
// A schedule is a rule with exceptions. By `PREEMPTIONS` the running thread goes on as long as it can. By `DELAYS` (DFW of
// paper 3) the first ready thread of the least round runs, and a delay moves it to the next round; threads are taken in
// the order in which they were started. Exceptions are planned by the step at which they happen. `PRIORITIES` is PCT:
// the thread with the highest priority runs, and a few times it is lowered. `REPLAY` does exactly what was written down.
//
// Invariant: the number of a step depends only on the switches and inputs before it.

enum {
  PATIENCE = 300,    // reads in a row after which a thread is taken to wait for others
  STRETCH = 1500,    // steps in a row after which another thread has its turn
};

static int enabled(int number) {
  struct thread *thread = &world->threads[number];
  struct object *on = thread->on;
  switch (thread->wait) {
    case READY: return 1;
    case ON_MUTEX: return on->depth == 0 && on->readers == 0;
    case ON_READING: return on->depth == 0;
    case ON_WRITING: return on->depth == 0 && on->readers == 0;
    case ON_JOIN: return world->threads[thread->number].wait == OVER;
    case ON_SEMAPHORE: return on->depth > 0;
    case ON_BARRIER: return on->round != thread->number;
    case ON_ONCE: return on->depth != 1;
    case ON_PROGRESS: return world->progress != thread->number;
    default: return 0;
  }
}

// The next enabled thread after another one, in a circle; -1 if there is none.
static int next_after(int number) {
  for (int i = 1; i <= world->count; i++) {
    int next = number + i < world->count ? number + i : number + i - world->count;
    if (enabled(next)) return next;
  }
  return -1;
}

// The first enabled thread of the least round.
static int first_by_round(void) {
  int best = -1;
  for (int i = 0; i < world->count; i++)
    if (enabled(i) && (best < 0 || world->threads[i].round < world->threads[best].round)) best = i;
  return best;
}

static int highest_priority(void) {
  int best = -1;
  for (int i = 0; i < world->count; i++)
    if (enabled(i) && (best < 0 || world->threads[i].priority > world->threads[best].priority)) best = i;
  return best;
}

static int random_enabled(void) {
  int start = (int)random_below((uint64_t)world->count);
  return next_after(start);
}

// The next thread in turn. Some threads are lazy from some point on: they run where no others can.
static int next_in_turn(int number) {
  for (int i = 1; i <= world->count; i++) {
    int next = number + i < world->count ? number + i : number + i - world->count;
    struct thread *thread = &world->threads[next];
    if (thread->points < thread->lazy_after && enabled(next)) return next;
  }
  return next_after(number);
}

COLD static void no_thread_can_go_on(void) {
  int waits = 0, retries = 0, rooms = 0;
  for (int i = 0; i < world->count; i++) {
    enum wait wait = world->threads[i].wait;
    waits += wait != OVER && wait != READY && wait != ON_PROGRESS && wait != ON_NOTHING;
    retries += wait == ON_PROGRESS || wait == ON_NOTHING;
    rooms += wait == ON_ROOM;
  }
  if (rooms) {
    say("more than %d threads", world->most_threads);
    end(EXHAUSTED, NULL);
  }
  if (retries) end(ABANDONED, NULL);
  if (!waits) end(with_leaks(FINISHED), NULL);
  say("every thread waits");
  end(DEADLOCKED, NULL);
}

// A place for a deviation, if there will be another choice.
COLD static void note_point(struct cell *cell, int forced, int chosen) {
  if (world->point_count >= POINTS || world->step <= world->after) return;
  struct point *point = &world->points[world->point_count];
  int count = 0, looked = 0;
  if (world->schedule == DELAYS) {
    uint32_t round = world->threads[chosen].round++;
    int other = first_by_round();
    world->threads[chosen].round = round;
    if (other >= 0 && other != chosen) point->others[count++] = (uint16_t)other;
  } else {
    for (int i = 1; i < world->count && count < ALTERNATIVES && looked < 64; i++, looked++) {
      int other = chosen + i < world->count ? chosen + i : chosen + i - world->count;
      if (other != chosen && enabled(other)) point->others[count++] = (uint16_t)other;
    }
  }
  if (!count) return;
  point->count = (uint8_t)count, point->forced = (uint8_t)forced, point->cell = cell;
  point->step = world->step, point->hash = world->state_hash;
  world->point_count++;
}

// The thread that a plan wants at this step; -1 if it says nothing.
HOT int planned(void) {
  while (world->planned_at < world->planned_count && world->planned[world->planned_at].step < world->step) world->planned_at++;
  if (world->planned_at == world->planned_count || world->planned[world->planned_at].step != world->step) return -1;
  return (int)world->planned[world->planned_at++].thread;
}

static int guided_choice(int stays, struct cell *cell, void *pc);
static void commit_step(int number);
static int is_led(void);

static int by_rule(int current, int stays, struct cell *cell, void *pc) {
  int next;
  switch (world->schedule) {
    case PREEMPTIONS:
      next = stays ? current : next_after(current);
      break;
    case DELAYS:
      if (!stays && enabled(current)) world->threads[current].round++;
      next = first_by_round();
      break;
    case GUIDED:
      next = guided_choice(stays, cell, pc);
      break;
    case PRIORITIES:
      for (int i = 0; i < world->lowered_count; i++)
        if (cell && world->shared_points == world->lowered[i]) world->threads[current].priority = -(int)world->step;
      if (!stays) world->threads[current].priority = -(int)world->step;
      return highest_priority();
    default:
      if (world->quantum && random_below(40)) {
        struct thread *thread = &world->threads[current];
        if (stays && thread->points++ < thread->lazy_after && ++thread->turns < world->quantum) return current;
        return next_in_turn(current);
      }
      return stays && random_below(world->chance) ? current : random_enabled();
  }
  if (next < 0) return next;
  int wanted = planned();
  if (wanted >= 0 && wanted < world->count && wanted != next && enabled(wanted)) {
    if (world->schedule == DELAYS) world->threads[next].round++;
    return wanted;
  }
  note_point(cell, !stays, next);
  return next;
}

// Lets the scheduler choose. `stays`: the running thread can and wants to go on.
static void reschedule(int stays, struct cell *cell, void *pc) {
  int current = world->current, next;
  if (world->schedule == REPLAY) {
    next = planned();
    if (next < 0) next = enabled(current) ? current : next_after(current);  // every change was written down
  } else {
    next = by_rule(current, stays, cell, pc);
  }
  if (next < 0) no_thread_can_go_on();
  if (next >= world->count || !enabled(next)) {
    say("thread %d cannot go on", next);
    end(LOST, pc);
  }
  if (next == current) {
    commit_step(current);
    return;
  }
  if (world->switch_count < SWITCHES)
    world->switches[world->switch_count++] = (struct change){world->step, (uint32_t)next};
  else
    end(ENDLESS, pc);
  switch_to(next);
  commit_step(current);
}

HOT void count_step(void *pc) {
  if (++world->step > world->limit) end(ENDLESS, pc);
}

// A step that others may see is about to happen: another thread may go on first. `cell` is what will be accessed, or null
// for an operation that always counts.
static void point(struct cell *cell, void *pc) {
  struct thread *thread = self();
  count_step(pc);
  thread->stretch++;
  if (world->atomic || world->count == 1) return;
  int waits = thread->reads > PATIENCE || thread->stretch > STRETCH;
  int led = world->schedule == REPLAY || (world->schedule == GUIDED && is_led());
  if (waits && !led) {
    thread->reads = thread->stretch = 0;
    reschedule(0, NULL, pc);
    return;
  }
  int counts = !cell || (cell->shared && cell->written);
  if (counts) world->shared_points++;
  switch (world->schedule) {
    case PREEMPTIONS:
    case DELAYS:  // also where sharing is not known yet
    case REPLAY:
    case GUIDED:
      break;
    default:
      if (!counts) return;
  }
  reschedule(1, cell, pc);
}

// The running thread gives way to others.
static void give_way(void *pc) {
  count_step(pc);
  if (!world->atomic && world->count > 1) reschedule(0, NULL, pc);
}

static void restart_section(void *pc);

// Waits until something is so. A step of its own.
static void wait_for(enum wait wait, struct object *object, void *pc) {
  struct thread *thread = self();
  count_step(pc);
  thread->wait = wait, thread->on = object;
  if (wait == ON_CONDITION || !enabled(world->current)) {
    if (world->atomic) {
      thread->wait = READY;
      restart_section(pc);
    }
    thread->reads = 0;
    reschedule(0, NULL, pc);
  } else if (!world->atomic && world->count > 1) {
    world->shared_points++;
    reschedule(1, NULL, pc);
  }
  thread->wait = READY;
}
