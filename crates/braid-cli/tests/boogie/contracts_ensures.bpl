// expect: unsafe
// A contract that says little lets much happen.

var g: int;
procedure main() modifies g;
{
  g := 1;
  call step();
  assert g != 7;
}
procedure step(); modifies g; ensures g >= old(g);
