// property: unreach-call
// Decimal floating-point numbers.
#include <assert.h>
#include <pthread.h>

_Decimal64 price = 1.10DD;

void *raise_price(void *unused) {
  price = price * 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, raise_price, 0);
  price = price + 0.90DD;
  pthread_join(t, 0);
  assert(price == 4.00DD);
}
