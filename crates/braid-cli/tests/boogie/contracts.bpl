// expect: safe
// A procedure without a body does what its contract says, in one step.

var g: int;
procedure main() modifies g;
{
  var r: int;
  g := 1;
  fork 1 other();
  call r := step(4);
  assert r > 4 && g > 1;
}
procedure other() modifies g; { call touch(); }
procedure touch(); modifies g; ensures g == old(g) + 1;
procedure step(n: int) returns (r: int);
  requires n > 0;
  modifies g;
  ensures r > n;
  ensures g == old(g) + 1;
