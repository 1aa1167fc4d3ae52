// property: unreach-call
// A coroutine and a thread use the same number; the coroutine keeps a copy while it is away.
#include <assert.h>
#include <pthread.h>
#include <ucontext.h>

ucontext_t main_context, other_context;
char stack[65536];
int stock = 5;

void take(void) {
  int seen = stock;
  swapcontext(&other_context, &main_context);
  stock = seen - 1;
}

void *buy(void *unused) {
  stock--;
  return 0;
}

int main(void) {
  pthread_t t;
  getcontext(&other_context);
  other_context.uc_stack.ss_sp = stack;
  other_context.uc_stack.ss_size = sizeof stack;
  other_context.uc_link = &main_context;
  makecontext(&other_context, take, 0);
  swapcontext(&main_context, &other_context);
  pthread_create(&t, 0, buy, 0);
  pthread_join(t, 0);
  swapcontext(&main_context, &other_context);
  assert(stock == 3);
}
