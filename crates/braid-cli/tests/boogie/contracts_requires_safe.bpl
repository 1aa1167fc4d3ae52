// expect: safe
// What the first procedure requires is assumed.

procedure main(n: int)
  requires n > 0;
{
  call step(n);
}
procedure step(m: int);
  requires m > 0;
