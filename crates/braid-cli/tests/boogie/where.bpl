// expect: safe
// A variable always has a value that its `where` clause allows, unless it is assigned.

var g: int where g >= 0;
procedure main() modifies g;
{
  var x: int where x > g;
  assert g >= 0 && x > 0;
  havoc g;
  assert g >= 0;
  havoc x;
  assert x > g;
}
