// expect: safe
// Who waits for a task finds its result.

type task a;
var done: int;
procedure Main() modifies done;
{
  var t, u: task int;
  var a, b: int;
  done := 0;
  call {:async t} a := square(3);
  call {:async u} b := square(4);
  assume {:wait a, t} true;
  assert a == 9 && done >= 1;
  assume {:wait b, u} true;
  assert b == 16 && done == 2;
}
procedure square(n: int) returns (r: int) modifies done;
{
  assume {:yield} true;
  done := done + 1;
  r := n * n;
  return;
}
