#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>

// What a decoder may know of the environment: where libraries and time zones are, and whether tricks apply.
static const char *const kept[] = {"LAZYIMG_PLAIN", "LD_LIBRARY_PATH", "TZ", "TZDIR"};

static int environment(char *result[], size_t count) {
    size_t next = 0;
    // Swift's handler of crashes would start a program.
    if (!(result[next++] = strdup("SWIFT_BACKTRACE=enable=no"))) return -1;
    // Large pages: a forked decoder copies all of its memory.
    if (!(result[next++] = strdup("GLIBC_TUNABLES=glibc.malloc.hugetlb=1"))) return -1;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const char *value = getenv(kept[i]);
        if (!value || next + 1 >= count) continue;
        size_t size = strlen(kept[i]) + strlen(value) + 2;
        char *entry = malloc(size);
        if (!entry) return -1;
        strcpy(entry, kept[i]);
        strcat(entry, "=");
        strcat(entry, value);
        result[next++] = entry;
    }
    result[next] = NULL;
    return 0;
}

pid_t sandbox_spawn(const char *path, const char *const *arguments, int control) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    char *variables[sizeof kept / sizeof *kept + 3] = {NULL};
    pid_t process = -1;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // Equal descriptors lose their close-on-exec flag, too (glibc 2.29).
    int error = posix_spawn_file_actions_adddup2(&actions, control, 3);
    // LAZYIMG_DECODER_MESSAGES shows what a decoder writes to standard error, for those who look for faults in one.
    int most = getenv("LAZYIMG_DECODER_MESSAGES") ? 2 : 3;
    for (int i = 0; i < most && !error; i++)
        error = posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (!error)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    if (!error && environment(variables, sizeof variables / sizeof *variables)) error = ENOMEM;
    if (!error) error = posix_spawn(&process, path, &actions, &attributes, (char *const *)arguments, variables);
    for (char **entry = variables; *entry; entry++) free(*entry);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error) {
        errno = error;
        return -1;
    }
    return process;
}
