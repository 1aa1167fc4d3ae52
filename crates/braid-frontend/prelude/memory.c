// Memory from the heap. Blocks that are only allocated and freed are primitives.

static void *aligned(unsigned long alignment, unsigned long size) {
  void *block = malloc(size);
  if (alignment > 2 * sizeof(void *)) __VERIFIER_assume((unsigned long)block % alignment == 0);
  return block;
}
int posix_memalign(void **to, unsigned long alignment, unsigned long size) {
  unsigned long power = sizeof(void *);
  int result = 22;
  while (power < alignment) power = 2 * power;
  if (power == alignment) {
    *to = aligned(alignment, size);
    result = 0;
  }
  return result;
}
void *aligned_alloc(unsigned long alignment, unsigned long size) { return aligned(alignment, size); }
void *memalign(unsigned long alignment, unsigned long size) { return aligned(alignment, size); }

// A block stays where it is, or its contents move to a new one. Nobody can tell but by comparing addresses.
static void *resized(__auto_type old, unsigned long size) {
  void *result = 0;
  unsigned long before = 0;
  if (old != 0) before = __braid_block_size(old);
  if (old != 0 && size > 0 && __braid_stays(old, size)) {
    result = (void *)old;
  } else {
    if (old == 0 || size > 0) result = malloc(size);
    // Where there is no room, the old block stays as it is.
    if (old != 0 && (result != 0 || size == 0)) {
      if (size > 0) __braid_copy_block(result, old, before < size ? before : size);
      free(old);
    }
  }
  return result;
}
void *realloc(__auto_type old, unsigned long size) { return resized(old, size); }
void *reallocarray(__auto_type old, unsigned long count, unsigned long size) {
  void *result = 0;
  if (size == 0 || count <= (unsigned long)-1 / 2 / size) result = resized(old, count * size);
  return result;
}
