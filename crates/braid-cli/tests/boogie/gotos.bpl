// expect: safe
// Labels, jumps to one of several, and loops left by `break`.

procedure main()
{
  var x, y: int;
  x := 0;
  goto left, right;
left:
  x := 1;
  goto done;
right:
  x := 2;
done:
  assert x == 1 || x == 2;
  y := 0;
outer:
  while (true) {
    while (*) {
      if (y == 3) { break outer; }
      y := y + 1;
      if (y > 5) { break; }
    }
  }
  assert y == 3 || y > 5;
  assert y <= 7 ==> y == 3 || y > 5;
}
