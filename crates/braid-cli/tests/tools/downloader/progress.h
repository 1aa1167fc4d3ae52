#ifndef PROGRESS_H
#define PROGRESS_H

void progress_start(long total);
void progress_add(long bytes);
void progress_stop(void);
long progress_done(void);

#endif
