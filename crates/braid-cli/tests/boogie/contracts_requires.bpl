// expect: unsafe
// Who calls checks what is required.

procedure main()
{
  var n: int;
  assume n >= 0;
  call step(n);
}
procedure step(n: int) requires n > 0; { }
