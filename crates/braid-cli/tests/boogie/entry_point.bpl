// expect: safe
// An attribute says where to begin.

procedure Main() { assert false; }
procedure {:entrypoint} other() { assert true; }
