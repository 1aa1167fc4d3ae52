// expect: rejected: an initial value of an array without a size at the end of a `struct` is not supported
// It would take room behind the type.
struct text { int length; char text[]; } t = {3, "abc"};
int main(void) { return t.text[1]; }
