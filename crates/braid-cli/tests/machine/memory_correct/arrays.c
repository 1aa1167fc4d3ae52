// Pointers to the end of arrays, copies that just fit, local variables of functions that still run.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct record {
  int size;
  char text[4];
  unsigned bits : 3;
} records[2], copy;
struct message {
  int length;
  char text[1];  // and more, as blocks are larger
};
static int table[4];
static _Thread_local int own[3];
static const char *const words[] = {"one", "two", "three"};
static jmp_buf back;

static int sum(const int *from, const int *to) {
  int total = 0;
  while (from != to) total += *from++;
  return total;
}
static int add(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  va_end(list);
  return total;
}
static void leave(int depth) {
  int frame[8] = {depth};
  if (depth == 0) longjmp(back, 1);
  leave(frame[0] - 1);
}
static int deep(int depth, int *above) {
  char room[100];
  memset(room, depth, sizeof room);
  *above += room[99];
  return depth ? deep(depth - 1, above) : 0;
}
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static struct record made(int size) {
  struct record new = {size, "abc", 5};
  return new;
}
static void *fill(void *argument) {
  int *at = argument;
  for (int i = 0; i < 4; i++) at[i] = i + own[i % 3];
  return at + 4;
}

int main(void) {
  pthread_t thread;
  int numbers[4] = {3, 1, 2, 0}, after = 7;
  void *end;
  pthread_create(&thread, NULL, fill, numbers);
  pthread_join(thread, &end);
  int total = sum(numbers, end) + sum(table, table + 4);
  char word[6], other[6];
  strcpy(word, words[2]);
  memcpy(other, word, sizeof other);
  total += (int)strlen(other) + strcmp(word, other) + add(3, 1, 2, 3);
  for (int i = 0; i < 3; i++) {
    int inner = i, *pointer = &inner;
    total += *pointer;
    switch (i) {
      case 0: {
        int here = 1;
        int *there = &here;
        total += *there;
        break;
      }
      default: total += (int[]){1, 2, 3}[i];
    }
  }
  int variable[total > 5 ? 5 : 2];
  variable[1] = 4;
  qsort(numbers, 4, sizeof *numbers, ascending);
  if (!setjmp(back)) leave(5);
  deep(6, &total);
  copy = records[1] = made(total);
  memmove(&records[0], &records[1], sizeof copy);
  struct message *message = malloc(sizeof *message + 8);
  message->length = 8;
  for (int i = 0; i < 8; i++) message->text[i] = 'x';
  total += message->text[message->length - 1] + variable[1] + after + copy.text[3];
  free(message);
  int *block = malloc(4 * sizeof *block);
  block = realloc(block, 8 * sizeof *block);
  block[7] = 1 << 30;
  total += block[7] / (block[7] >> 30);
  free(block);
  return total;
}
