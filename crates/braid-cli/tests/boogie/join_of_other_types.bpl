// expect: unsafe
// A join that asks for a truth value waits for a thread that gives one.

procedure main()
{
  var answer: bool;
  fork 1 number();
  fork 1 truth();
  join 1 assign answer;
  assert !answer;
}
procedure number() returns (n: int) { n := 1; }
procedure truth() returns (b: bool) { b := true; }
