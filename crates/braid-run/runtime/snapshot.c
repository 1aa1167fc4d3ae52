// Puts back all that a run can write, so that thousands of runs fit into a second: one process instead of one for each run.
//
// That is the writable memory of the program and of its libraries (not of the dynamic linker), and the heap. Small regions
// are copied. Large ones are private mappings of a file in memory: to forget their pages is to have the old contents.
//
// What limits it: what the system keeps (files that were written, positions in open files) is not put back.

enum { REGIONS = 64, LARGE = 1 << 20 };
struct region {
  char *at, *copy;
  size_t size;
  int mapped;
};
struct snapshot_state {
  struct region regions[REGIONS];
  int count;
  char *heap;
  size_t heap_used;
  uint8_t *valid;
  struct heap heap_state;
};

static void add_region(char *from, char *to) {
  char *page = lasting.page, *after = page + sizeof lasting;
  if (from < after && page < to) {
    add_region(from, page);
    add_region(after, to);
    return;
  }
  if (from >= to || snapshot->count == REGIONS) return;
  struct region *region = &snapshot->regions[snapshot->count];
  *region = (struct region){from, NULL, (size_t)(to - from), 0};
  if (region->size >= LARGE) {
    char *first = (char *)(((uintptr_t)from + 4095) & ~4095ul), *last = (char *)((uintptr_t)to & ~4095ul);
    int file = memfd_create("snapshot", 0);
    size_t size = (size_t)(last - first);
    if (file >= 0 && ftruncate(file, (off_t)size) == 0) {
      char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      // Pages of zeros stay holes in the file.
      for (size_t page = 0; copy != MAP_FAILED && page < size; page += 4096) {
        static const char zeros[4096];
        if (__builtin_memcmp(first + page, zeros, 4096)) memcpy(copy + page, first + page, 4096);
      }
      if (copy != MAP_FAILED) munmap(copy, size);
      if (copy != MAP_FAILED && mmap(first, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) == first) {
        *region = (struct region){first, NULL, size, 1};
        snapshot->count++;
        close(file);
        add_region(from, first);
        add_region(last, to);
        return;
      }
    }
    if (file >= 0) close(file);
  }
  region->copy = reserve(region->size);
  memcpy(region->copy, from, region->size);
  snapshot->count++;
}

static int find_regions(struct dl_phdr_info *object, size_t size, void *unused) {
  const char *name = object->dlpi_name;
  if (strstr(name, "/ld-") || strstr(name, "/ld.so") || strstr(name, "vdso")) return 0;
  char *sealed = NULL, *sealed_end = NULL;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_GNU_RELRO) {
      sealed = (char *)(object->dlpi_addr + part->p_vaddr);
      sealed_end = (char *)(((uintptr_t)sealed + part->p_memsz + 4095) & ~4095ul);
    }
    if (part->p_type == PT_GNU_STACK && !name[0]) world->code_on_stacks = (part->p_flags & PF_X) != 0;
    if (part->p_type == PT_TLS && !name[0] && object->dlpi_tls_data) {
      world->tls = object->dlpi_tls_data, world->tls_size = part->p_memsz;
    }
  }
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
    char *from = (char *)(object->dlpi_addr + part->p_vaddr), *to = from + part->p_memsz;
    if (sealed_end > from && sealed <= from) from = sealed_end;
    add_region(from, to);
  }
  return 0;
}

static void take_snapshot(void) {
  snapshot = reserve(sizeof *snapshot);
  if (!heap.arena) open_heap();
  dl_iterate_phdr(find_regions, NULL);
  if (world->tls_size) {
    world->tls_first = reserve(world->tls_size);
    memcpy(world->tls_first, world->tls, world->tls_size);
    world->threads[0].tls = reserve(world->tls_size);
    find_blocks();
  }
  snapshot->heap_used = heap.used;
  snapshot->heap_state = heap;
  snapshot->heap = reserve(heap.used + 1), snapshot->valid = reserve(heap.used / 16 + 1);
  memcpy(snapshot->heap, heap.arena, heap.used);
  memcpy(snapshot->valid, heap.valid, heap.used / 16);
}

static void put_back(void) {
  size_t used = heap.used;
  for (int i = 0; i < snapshot->count; i++) {
    struct region *region = &snapshot->regions[i];
    if (region->mapped) madvise(region->at, region->size, MADV_DONTNEED);
    else memcpy(region->at, region->copy, region->size);
  }
  heap = snapshot->heap_state;
  memcpy(heap.arena, snapshot->heap, snapshot->heap_used);
  memcpy(heap.valid, snapshot->valid, snapshot->heap_used / 16);
  if (used > snapshot->heap_used) memset(heap.valid + snapshot->heap_used / 16, 0, (used - snapshot->heap_used) / 16 + 1);
  if (world->tls_size) memcpy(world->tls, world->tls_first, world->tls_size);
}
