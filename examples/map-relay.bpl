// A writer fills a map from the left and says how far it is; a reader never finds a cell unfilled below that mark.
// expected: safe

var cells: [int] int;
var filled: int;

function marked(n: int) returns (int) { 2 * n + 1 }

procedure ULTIMATE.start()
  modifies cells, filled;
{
  filled := 0;
  fork 1 writer();
  fork 2, 2 reader();
}

procedure writer()
  modifies cells, filled;
{
  while (*) {
    atomic {
      cells[filled] := marked(filled);
      filled := filled + 1;
    }
  }
}

procedure reader()
{
  var last: int;

  while (*) {
    atomic {
      last := filled - 1;
      assert last >= 0 ==> cells[last] == marked(last);
    }
  }
}
