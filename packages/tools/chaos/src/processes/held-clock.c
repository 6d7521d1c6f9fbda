/* Preloaded into a process: holds its monotonic clocks back by the nanoseconds that stand in a shared file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static const volatile int64_t *held_ns;

__attribute__((constructor)) static void open_file(void) {
  const char *path = getenv("HELD_CLOCK_FILE");
  int file = path == NULL ? -1 : open(path, O_RDONLY);
  if (file < 0) abort();
  void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) abort();
  held_ns = mapped;
  close(file);
}

static int is_monotonic(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (real_clock_gettime == NULL) real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real_clock_gettime(clock, time);
  if (result != 0 || held_ns == NULL || !is_monotonic(clock)) return result;
  int64_t ns = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec - *held_ns;
  time->tv_sec = ns / 1000000000;
  time->tv_nsec = ns % 1000000000;
  return 0;
}
