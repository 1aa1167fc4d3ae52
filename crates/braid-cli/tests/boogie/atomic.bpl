// expect: safe
// Nobody sees what is inside an atomic block, nested ones and calls included.

var x: int;
procedure ULTIMATE.start() modifies x;
{
  x := 0;
  fork 1 twice();
  fork 2 between();
  assert x mod 2 == 0;
}
procedure twice() modifies x;
{
  atomic {
    x := x + 1;
    atomic { x := x + 1; x := x + 1; }
    call bump();
  }
}
procedure between() modifies x;
{
  call __VERIFIER_atomic_begin();
  x := x - 1;
  x := x - 1;
  call __VERIFIER_atomic_end();
}
procedure bump() modifies x; { x := x + 1; }
procedure __VERIFIER_atomic_begin();
procedure __VERIFIER_atomic_end();
