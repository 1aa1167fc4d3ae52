// expect: safe
// The same with every way out as promised.

var g: int;
procedure main() modifies g; { g := 0; call step(true); call step(false); assert g == 2; }
procedure step(late: bool)
  modifies g;
  ensures g == old(g) + 1;
{
  if (late) { g := g + 1; return; }
  g := old(g) + 1;
}
