// expect: unsafe
// Other constants may be equal, and a function may map two values to one.

const a, b: int;
function f(int) returns (int);
procedure main()
{
  assume a != b;
  assert f(a) != f(b);
}
