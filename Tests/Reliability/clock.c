// A clock for tests, preloaded into a program: the date that CLOCK_REALTIME gives begins at CLOCK_START (seconds since
// 1970) when the machine has been up for CLOCK_SINCE seconds, and runs CLOCK_SPEED times as fast. Other clocks, and so
// all waits, are as ever.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*original)(clockid_t, struct timespec *);
static double start, since, speed;

static double value(const char *name) { return getenv(name) ? atof(getenv(name)) : 0; }

__attribute__((constructor)) static void prepare(void) {
    original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    start = value("CLOCK_START");
    since = value("CLOCK_SINCE");
    speed = value("CLOCK_SPEED");
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!original) prepare();
    if (clock != CLOCK_REALTIME) return original(clock, time);
    original(CLOCK_MONOTONIC, time);
    double now = start + (time->tv_sec + time->tv_nsec / 1e9 - since) * speed;
    time->tv_sec = (time_t)now;
    time->tv_nsec = (long)((now - (double)time->tv_sec) * 1e9);
    return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
