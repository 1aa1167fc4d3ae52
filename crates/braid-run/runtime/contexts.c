// Threads of the program as contexts: a stack with a guard page each, and a switch that saves what a call must keep.
//
// `swapcontext` asks the system for the signal mask at every switch; here a switch is a dozen instructions. On machines
// without them it is `swapcontext` after all.
//
// Invariant: a stack holds zeros where a new thread starts, or another byte that was chosen for the run. So a value that the
// program never set is the same when the run is repeated.

#if defined __x86_64__
asm(".text\n"
    ".type braid_switch,@function\n"
    "braid_switch:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  ret\n"
    ".size braid_switch, .-braid_switch\n");
enum { SAVED = 6 };
extern void braid_switch(void **save, void *load);
static void *new_context(char *high, void (*entry)(void)) {
  void **top = (void **)((uintptr_t)high & ~15ul) - 2;
  *top = (void *)entry;  // `ret` leaves the stack as a call would
  top[1] = NULL;
  memset(top - SAVED, 0, SAVED * sizeof *top);
  return top - SAVED;
}
#elif defined __aarch64__
asm(".text\n"
    ".type braid_switch,@function\n"
    "braid_switch:\n"
    "  sub sp, sp, #176\n"
    "  stp x19, x20, [sp, #0]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
    "  ldp x19, x20, [sp, #0]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #176\n  ret\n"
    ".size braid_switch, .-braid_switch\n");
extern void braid_switch(void **save, void *load);
static void *new_context(char *high, void (*entry)(void)) {
  char *top = (char *)((uintptr_t)high & ~15ul) - 176;
  memset(top, 0, 176);
  ((void **)top)[11] = (void *)entry;  // x30
  return top;
}
#else
#include <ucontext.h>
static void braid_switch(void **save, void *load) {
  ucontext_t here;
  *save = &here;
  swapcontext(&here, load);
}
static void *new_context(char *high, void (*entry)(void)) {
  ucontext_t *context = (ucontext_t *)(((uintptr_t)high - sizeof(ucontext_t)) & ~63ul);
  getcontext(context);
  context->uc_stack.ss_sp = high - STACK / 2;
  context->uc_stack.ss_size = (size_t)((char *)context - (high - STACK / 2));
  context->uc_link = NULL;
  makecontext(context, entry, 0);
  return context;
}
#endif

enum { TOP = 16 << 10 };  // bytes of a stack that are always cleared

static void new_stack(struct thread *thread, size_t size) {
  if (!thread->low) {
    char *memory = reserve(size);
    if (world->code_on_stacks) mprotect(memory, size, PROT_READ | PROT_WRITE | PROT_EXEC);
    mprotect(memory, 4096, PROT_NONE);
    thread->low = memory + 4096, thread->high = memory + size;
    if (world->fill) fill_memory(thread->high - TOP, world->fill, TOP);
  } else {
    clear_stack(thread->deepest, thread->high);
    fill_memory(thread->high - TOP, world->fill, TOP);
    char *cleared = thread->high - TOP;
    if (thread->deepest < cleared + TOP / 2) madvise(thread->low, (size_t)(cleared - thread->low), MADV_DONTNEED);
  }
  thread->deepest = thread->high, thread->frame = thread->low;
}

// Thread-local variables. On this machine a register points to them, and each thread has a block of its own. Elsewhere
// all use the same block, whose contents go with the threads: pointers to other threads' variables are wrong there.
static void use_block(struct thread *thread) {
#if defined __x86_64__
  char *pointer = thread == world->threads ? world->main_pointer : thread->tls + world->block_pointer;
  syscall(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, pointer);
#endif
}
static void new_block(struct thread *thread) {
  if (thread == world->threads) return;
  if (!thread->tls) thread->tls = reserve(world->block_size);
  memcpy(thread->tls, world->block_first, world->block_size);
  char **head = (char **)(thread->tls + world->block_pointer);
  head[0] = head[2] = (char *)head;  // it knows where it is
}
static void find_blocks(void) {
#if defined __x86_64__
  void (*sizes)(size_t *, size_t *) = (void (*)(size_t *, size_t *))dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info");
  const uint32_t *head = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
  size_t size, alignment;
  if (!sizes || !head) return;
  sizes(&size, &alignment);
  size_t after = (*head + 63) & ~63ul;
  if (size <= after || size > 1 << 20) return;
  syscall(SYS_arch_prctl, 0x1003 /* ARCH_GET_FS */, &world->main_pointer);
  world->block_size = size, world->block_pointer = size - after;
  world->block_first = reserve(size);
  memcpy(world->block_first, world->main_pointer - world->block_pointer, size);
#endif
}

// Makes another thread the running one. Thread-local variables and `errno` go with it.
static void enter(int next) {
  struct thread *from = self(), *to = &world->threads[next];
  if (!world->block_first) from->saved_errno = *world->error_number;
  if (world->block_first) {
    use_block(to);
  } else if (world->tls_size) {
    memcpy(from->tls, world->tls, world->tls_size);
    memcpy(world->tls, to->tls, world->tls_size);
  }
  world->current = next;
  to->stretch = to->reads = to->turns = 0;
  from->section_pointer = NULL;
  if (!world->block_first) *world->error_number = to->saved_errno;
}

// Goes on with another thread.
static void switch_to(int next) {
  struct thread *from = self();
  char here;
  if (&here < from->deepest && &here >= from->low) from->deepest = &here;
  enter(next);
  braid_switch(&from->stack_pointer, self()->stack_pointer);
}

// What a thread asks of the home context, which is on another stack.
enum { END_RUN, SAVE_STACK, RESTORE_STACK };

static void ask_home(int request) {
  world->request = request;
  braid_switch(&self()->stack_pointer, world->home);
}
