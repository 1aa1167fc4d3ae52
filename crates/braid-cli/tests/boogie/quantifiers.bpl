// expect: safe
// Axioms and assumptions for all values, used where they are needed.

function f(int) returns (int);
axiom (forall x: int :: f(x) > x);
axiom (exists x: int :: f(x) == 7);
var m: [int] int;
procedure main() modifies m;
{
  var i: int;
  assert f(f(3)) > 4;
  assume (forall k: int :: 0 <= k ==> m[k] == 2 * k);
  assume i >= 0;
  m[i] := 2 * i;
  assert m[5] == 10;
}
