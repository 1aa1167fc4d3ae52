// expect: unsafe
// Tasks go on when the first procedure has ended.

var x: int;
procedure main() modifies x;
{
  x := 0;
  call {:async} check();
  x := 1;
  return;
}
procedure check() { assert x == 0; }
