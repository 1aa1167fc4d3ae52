// expect: safe
// A thread is joined once: the second join waits for ever.

procedure main()
{
  fork 1 nothing();
  join 1;
  join 1;
  assert false;
}
procedure nothing() { }
