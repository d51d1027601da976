#define _GNU_SOURCE
#include "CLazySystem.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// The state of the handler, set before the terminal is used and constant while it is.
static struct {
    int screen, keys;
    char ending[512];
    size_t length;
    struct termios before;
    char files[4][96];
} terminal;
static atomic_int has_keys, has_screen;
static struct sigaction earlier[NSIG];

static void remove_files(void) {
    for (int slot = 0; slot < 4; slot++)
        if (terminal.files[slot][0]) unlink(terminal.files[slot]);
}

static void restore(void) {
    remove_files();
    if (atomic_exchange(&has_screen, 0)) {
        ssize_t written = write(terminal.screen, terminal.ending, terminal.length);
        (void)written;
    }
    if (atomic_exchange(&has_keys, 0)) tcsetattr(terminal.keys, TCSANOW, &terminal.before);
}

// Restores the terminal, and then runs the earlier action of the signal.
static void end(int signal) {
    int before = errno;
    restore();
    sigaction(signal, &earlier[signal], NULL);
    raise(signal);
    errno = before;
}

// Whether the default of a signal ends the process.
static int is_ending(int signal) {
    switch (signal) {
        case SIGKILL: case SIGSTOP: case SIGCHLD: case SIGCONT: case SIGTSTP: case SIGTTIN:
        case SIGTTOU: case SIGURG: case SIGWINCH: return 0;
        default: return 1;
    }
}

// Existing handlers are kept, except for faults.
static int is_fault(int signal) {
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE
        || signal == SIGTRAP || signal == SIGABRT || signal == SIGSYS;
}

static void take_over(void) {
    static atomic_int is_done;
    if (atomic_exchange(&is_done, 1)) return;
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction *old = &earlier[signal];
        if (!is_ending(signal) || sigaction(signal, NULL, old) != 0) continue;
        if (old->sa_handler == end || old->sa_handler == SIG_IGN) continue;
        if (old->sa_handler != SIG_DFL && !is_fault(signal)) continue;
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = end;
        // An overflowed stack has no room for a handler.
        action.sa_flags = SA_ONSTACK;
        sigfillset(&action.sa_mask);
        sigaction(signal, &action, NULL);
    }
}

void lazy_guard_keys(int keys) {
    atomic_store(&has_keys, 0);
    if (tcgetattr(keys, &terminal.before) != 0) return;
    terminal.keys = keys;
    take_over();
    atomic_store(&has_keys, 1);
}

void lazy_guard_screen(int screen, const char *ending) {
    atomic_store(&has_screen, 0);
    terminal.screen = screen;
    terminal.length = strlen(ending);
    if (terminal.length > sizeof terminal.ending) terminal.length = sizeof terminal.ending;
    memcpy(terminal.ending, ending, terminal.length);
    take_over();
    atomic_store(&has_screen, 1);
}

void lazy_guard_file(int slot, const char *path) {
    if (slot < 0 || slot > 3 || strlen(path) >= sizeof terminal.files[0]) return;
    strcpy(terminal.files[slot], path);
    take_over();
}

void lazy_release_terminal(void) {
    remove_files();
    memset(terminal.files, 0, sizeof terminal.files);
    atomic_store(&has_screen, 0);
    atomic_store(&has_keys, 0);
}
