// expect: safe
// A join waits for a thread under an equal list of values: lengths, types and values must agree.

var reached: bool;
procedure ULTIMATE.start() modifies reached;
{
  var which: bool;
  var x: int;
  reached := false;
  which := true;
  fork 1 set();
  fork 2, 23 set();
  fork which set();
  x := 1;
  if (*) { join 2; reached := true; }
  else if (*) { join 2, 24; reached := true; }
  else if (*) { join !which; reached := true; }
  else if (*) { join x + 1; reached := true; }
  assert !reached;
}
procedure set() { }
