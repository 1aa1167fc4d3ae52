// expect: unsafe
// Between two atomic blocks others can look.

var x: int;
procedure ULTIMATE.start() modifies x;
{
  x := 0;
  fork 1 twice();
  assert x mod 2 == 0;
}
procedure twice() modifies x;
{
  atomic { x := x + 1; }
  atomic { x := x + 1; }
}
