// expect: rejected: the program does not say which procedure runs first
// Nothing says where to begin.

procedure somewhere() { assert true; }
