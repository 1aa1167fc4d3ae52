// expect: safe
// Maps of maps, several indices, parallel assignment and updates as expressions.

type matrix = [int, int] int;
var m, before: matrix;
var rows: [int] [bool] int;
procedure main() modifies m, before, rows;
{
  var a, b: int;
  assume a != b;
  before := m;
  m[a, b] := 1;
  m[b, a] := 2;
  assert m[a, b] == 1 && m[b, b] == before[b, b];
  assert m == before[a, b := 1][b, a := 2];
  rows[a][true] := 3;
  rows[a][false] := 4;
  assert rows[a][true] == 3;
  a, b := b, a;
  assert rows[b][false] == 4;
}
