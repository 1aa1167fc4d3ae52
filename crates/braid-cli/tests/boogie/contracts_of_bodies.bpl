// expect: unsafe
// What a body ensures is checked at its end, wherever it returns.

var g: int;
procedure main() modifies g; { g := 0; call step(true); call step(false); }
procedure step(late: bool)
  modifies g;
  ensures g == old(g) + 1;
{
  g := g + 1;
  if (late) { return; }
  g := g + 1;
}
