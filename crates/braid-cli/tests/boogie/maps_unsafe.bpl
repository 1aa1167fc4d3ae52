// expect: unsafe
// Indices can be equal.

var m: [int, int] int;
procedure main() modifies m;
{
  var a, b: int;
  m[a, b] := 1;
  m[b, a] := 2;
  assert m[a, b] == 1;
}
