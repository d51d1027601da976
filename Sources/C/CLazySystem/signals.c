#define _GNU_SOURCE
#include "CLazySystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void note(int signal) {
    int before = errno;
    unsigned char byte = (unsigned char)signal;
    // A full pipe wakes the reader anyway.
    ssize_t written = write(ends[1], &byte, 1);
    (void)written;
    errno = before;
}

// Otherwise a pipe or file could get the number of a closed standard stream, and output would go
// into it. Opened in the wrong direction, so that use still fails; before main, because Swift's
// runtime opens files.
__attribute__((constructor)) static void reserve_standard_streams(void) {
    for (int number = 0; number < 3; number++) {
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int lazy_signals_as_bytes(const int *signals, int count) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    for (int i = 0; i < count; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) != 0) continue;
        if (action.sa_handler == SIG_IGN) continue;
        action.sa_handler = note;
        action.sa_flags = SA_RESTART;
        sigfillset(&action.sa_mask);
        sigaction(signals[i], &action, NULL);
    }
    return ends[0];
}
