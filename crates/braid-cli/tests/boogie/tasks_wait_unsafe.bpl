// expect: unsafe
// Who does not wait may be too early.

type task a;
var done: bool;
procedure Main() modifies done;
{
  var t: task int;
  done := false;
  call {:async t} work();
  assume {:yield} true;
  assert done;
}
procedure work() modifies done;
{
  done := true;
}
