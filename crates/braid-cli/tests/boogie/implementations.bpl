// expect: safe
// An implementation may give the parameters other names.

procedure main();
procedure twice(n: int) returns (r: int);
  ensures r == 2 * n;
implementation main()
{
  var x: int;
  call x := twice(21);
  assert x == 42;
}
implementation twice(m: int) returns (s: int)
{
  s := m + m;
}
