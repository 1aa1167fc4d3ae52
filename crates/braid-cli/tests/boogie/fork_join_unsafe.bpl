// expect: unsafe
// Read and write are two steps: one of the additions can get lost.

var total: int;
procedure ULTIMATE.start() modifies total;
{
  total := 0;
  fork 1 add(3);
  fork 2 add(4);
  join 1;
  join 2;
  assert total == 7;
}
procedure add(n: int) modifies total;
{
  var now: int;
  now := total;
  total := now + n;
}
