#include "CLazyGTK.h"

#include <glib-unix.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

// Exported by libdispatch for the run loop of CoreFoundation, which needs them too; declared in no public header.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

static bool isMeasured;
static int depth;
static LazyWork start, taken;

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static LazyWork now(void) {
    return (LazyWork){nanoseconds(CLOCK_THREAD_CPUTIME_ID), nanoseconds(CLOCK_MONOTONIC)};
}

void lazy_work_begin(void) {
    if (depth++ == 0 && isMeasured) start = now();
}

void lazy_work_end(void) {
    if (--depth > 0 || !isMeasured || start.wall == 0) return;
    LazyWork end = now();
    taken.cpu += end.cpu - start.cpu;
    taken.wall += end.wall - start.wall;
}

static gboolean drain(gint descriptor, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    // Read first: an event that stays in the descriptor would wake the loop forever.
    uint64_t count;
    if (read(descriptor, &count, sizeof count) < 0) count = 0;
    lazy_work_begin();
    _dispatch_main_queue_callback_4CF(NULL);
    lazy_work_end();
    return G_SOURCE_CONTINUE;
}

void lazy_main_actor_attach(void) {
    static bool isAttached;
    if (isAttached) return;
    isAttached = true;
    g_unix_fd_add_full(
        G_PRIORITY_DEFAULT, _dispatch_get_main_queue_handle_4CF(), G_IO_IN, drain, NULL, NULL);
}

void lazy_work_measure(bool isOn) { isMeasured = isOn; }

LazyWork lazy_work_take(void) {
    LazyWork work = taken;
    taken = (LazyWork){0, 0};
    return work;
}
