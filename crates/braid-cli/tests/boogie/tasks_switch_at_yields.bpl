// expect: safe
// Without a `yield` nobody comes in between.

type task a;
var x: int;
procedure main() modifies x;
{
  x := 0;
  call {:async} twice();
  call {:async} twice();
  assert x == 0;
  assume {:yield} true;
  assert x == 0 || x == 2 || x == 4;
}
procedure twice() modifies x;
{
  x := x + 1;
  x := x + 1;
}
