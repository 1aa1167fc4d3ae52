// expect: safe
// A join sees what the thread did, and takes its results.

var total: int;
procedure ULTIMATE.start() modifies total;
{
  var a, b: int;
  total := 0;
  fork 1 add(3);
  fork 2 add(4);
  join 1 assign a;
  join 2 assign b;
  assert a == 6 && b == 8;
  assert total == 7;
}
procedure add(n: int) returns (twice: int) modifies total;
{
  total := total + n;
  twice := 2 * n;
}
