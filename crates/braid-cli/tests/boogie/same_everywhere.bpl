// expect: safe
// A map that holds one value everywhere.

const none: [int] int;
axiom (forall i: int :: none[i] == -1);
var ended: [int] int;
procedure main() modifies ended;
{
  var i: int;
  ended := none;
  ended[3] := 2;
  assume ended[i] >= 0;
  assert i == 3;
}
