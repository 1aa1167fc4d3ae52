// expect: unsafe
// Sums of bit-vectors wrap around.

function {:bvbuiltin "bvadd"} add(bv8, bv8) returns (bv8);
function {:bvbuiltin "bvult"} below(bv8, bv8) returns (bool);
procedure main()
{
  var x: bv8;
  assert below(x, add(x, 1bv8));
}
