// expect: unsafe
// A jump goes to any of its labels.

procedure main()
{
  var x: int;
  x := 0;
  goto left, right;
left:
  x := 1;
  goto done;
right:
  x := 2;
done:
  assert x == 1;
}
