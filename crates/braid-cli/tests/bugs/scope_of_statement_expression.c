// property: valid-deref
int main(void) {
  int outer = 5;
#ifdef BUG
  int *p = ({ int inner = 5; &inner; });
#else
  int *p = ({ int inner = 5; outer = inner; &outer; });
#endif
  return *p - 5;
}
