// Two clerks sell from one roll of tickets. Taking a ticket is one step, so no ticket is sold twice: what both have sold
// is what has left the roll.
// expected: safe

var next: int;

procedure main()
  modifies next;
{
  var sold, also: int;

  next := 0;
  fork 1 clerk(3);
  fork 2 clerk(2);
  join 1 assign sold;
  join 2 assign also;
  assert sold + also == next;
}

procedure clerk(customers: int) returns (sold: int)
  modifies next;
{
  sold := 0;
  while (sold < customers) {
    call take();
    sold := sold + 1;
  }
}

// A procedure without a body does what it ensures, in one step.
procedure take();
  modifies next;
  ensures next == old(next) + 1;
