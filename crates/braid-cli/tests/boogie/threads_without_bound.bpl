// expect: unsafe
// A bug that needs two threads of a loop that makes any number.

var x: int;
procedure main() modifies x;
{
  var i: int;
  x := 0;
  i := 0;
  while (*) {
    fork i up();
    i := i + 1;
  }
  assert x < 2;
}
procedure up() modifies x; { x := x + 1; }
