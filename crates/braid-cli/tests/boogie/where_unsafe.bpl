// expect: unsafe
// Assignments do not look at `where` clauses.

var g: int where g >= 0;
procedure main() modifies g;
{
  g := -1;
  assert g >= 0;
}
