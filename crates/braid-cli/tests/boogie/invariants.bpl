// expect: unsafe
// An invariant is checked in every round.

procedure main()
{
  var i: int;
  i := 0;
  while (i < 5)
    invariant i <= 3;
  {
    i := i + 1;
  }
}
