// expect: unsafe
// With a `yield` others do.

type task a;
var x: int;
procedure main() modifies x;
{
  x := 0;
  call {:async} twice();
  assume {:yield} true;
  assert x == 0 || x == 2;
}
procedure twice() modifies x;
{
  x := x + 1;
  assume {:yield} true;
  x := x + 1;
}
