// expect: unsafe
// A map that holds one value everywhere, whichever side says so. Without a quantifier left, a violation can be replayed.

const none: [int] int;
axiom (forall i: int :: -1 == none[i]);
var ended: [int] int;
procedure main() modifies ended;
{
  var i: int;
  ended := none;
  ended[3] := 2;
  assert ended[i] >= 0 || i == 4;
}
