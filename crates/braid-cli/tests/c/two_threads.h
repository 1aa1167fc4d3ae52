// The main function of programs with two threads.
int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, two, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
