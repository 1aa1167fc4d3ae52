// expect: unsafe
// The same with a list that agrees.

var reached: bool;
procedure ULTIMATE.start() modifies reached;
{
  var which: bool;
  reached := false;
  which := true;
  fork 1 set();
  fork 2, 23 set();
  fork which set();
  if (*) { join 2; reached := true; }
  else { join 2, 23; reached := true; }
  assert !reached;
}
procedure set() { }
