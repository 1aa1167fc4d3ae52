// expect: safe
// Widths, parts, concatenation, and the operators of the solver.

function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvugt"} above(bv8, bv8) returns (bool);
function {:bvbuiltin "zero_extend 8"} wide(bv8) returns (bv16);
function {:smtdefined "(and (<= 0 x) (= (mod x 2) 0))"} natural_even(x: int) returns (bool);
procedure main()
{
  var x: bv8;
  x := 255bv8;
  assert add(x, 1bv8) == 0bv8;
  assert above(x, 254bv8);
  assert wide(x) == 0bv8 ++ x;
  assert x[4:0] == 15bv4;
  assert natural_even(4) && !natural_even(-4);
}
