#include "CLazyGTK.h"

#include <glib-unix.h>
#include <stdint.h>
#include <unistd.h>

// Exported by libdispatch for the run loop of CoreFoundation, which needs them too; declared in no public header.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

static bool isMeasured;
static int64_t microseconds;

static gboolean drain(gint descriptor, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    // Read first: an event that stays in the descriptor would wake the loop forever.
    uint64_t count;
    if (read(descriptor, &count, sizeof count) < 0) count = 0;
    int64_t start = isMeasured ? g_get_monotonic_time() : 0;
    _dispatch_main_queue_callback_4CF(NULL);
    if (isMeasured) microseconds += g_get_monotonic_time() - start;
    return G_SOURCE_CONTINUE;
}

void lazy_main_actor_attach(void) {
    static bool isAttached;
    if (isAttached) return;
    isAttached = true;
    g_unix_fd_add_full(
        G_PRIORITY_DEFAULT, _dispatch_get_main_queue_handle_4CF(), G_IO_IN, drain, NULL, NULL);
}

void lazy_main_actor_measure(bool isOn) { isMeasured = isOn; }

int64_t lazy_main_actor_take(void) {
    int64_t taken = microseconds;
    microseconds = 0;
    return taken;
}
