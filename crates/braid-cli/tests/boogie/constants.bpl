// expect: safe
// Unique constants differ, axioms hold, functions are functions.

type color;
const unique red, green: color;
const limit: int;
axiom limit > 10;
function f(color) returns (int);
function double(x: int) returns (int) { x + x }
function {:inline} least(x: int, y: int): int { if x < y then x else y }
procedure main()
{
  var c: color;
  assert red != green;
  assume c == red;
  assert f(c) == f(red);
  assert double(limit) > 20;
  assert least(limit, 3) == 3;
}
