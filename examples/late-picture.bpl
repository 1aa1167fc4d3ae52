// A page starts to load its picture, waits for a sound to play, and takes for granted that the picture is there by then.
// Tasks switch at `yield` and `wait` only; still the picture can be late.
// expected: unsafe

type task a;
type picture;

const nothing, sunset: picture;
axiom nothing != sunset;

var shown: picture;

procedure main()
  modifies shown;
{
  var sound: task int;

  shown := nothing;
  call {:async} load();
  call {:async sound} play();
  assume {:wait sound} true;
  assert shown != nothing;
}

procedure load()
  modifies shown;
{
  assume {:yield} true;
  shown := sunset;
}

procedure play()
{
  assume {:yield} true;
  return;
}
