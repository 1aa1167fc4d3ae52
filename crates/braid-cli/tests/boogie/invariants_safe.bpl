// expect: safe
// An invariant that holds, and one that is taken for granted.

procedure main()
{
  var i, n: int;
  i := 0;
  assume n >= 0;
  while (i < n)
    invariant i <= n;
    free invariant i != 17;
  {
    i := i + 1;
  }
  assert i == n && i != 17;
}
