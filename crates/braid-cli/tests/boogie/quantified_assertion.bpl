// expect: safe
// What holds for all values is proven as such.

var m: [int] int;
procedure main() modifies m;
{
  assume (forall i: int, j: int :: i < j ==> m[i] <= m[j]);
  assert (forall i: int :: m[i] <= m[i + 1]);
  assert (exists i: int :: m[i] <= m[3]);
}
