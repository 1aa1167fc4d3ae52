// property: valid-deref
// says: index outside of an array
// The index leads out of a member, but not out of the struct.
struct record {
  int values[4];
  int checksum;
} record;

int main(void) {
  int i = 4;
  return record.values[i];
}
