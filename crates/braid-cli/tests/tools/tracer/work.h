// The program whose threads are traced: workers that take jobs from a list.
#ifndef WORK_H
#define WORK_H

enum { MAX_WORKERS = 3, MAX_JOBS = 6 };

int work_init(int jobs);
int work_next(int *job);
void work_result(int job, long value);
long work_sum(void);
int work_left(void);

#endif
