// For recursive mutexes.
#define _GNU_SOURCE
#include "CLibrary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Recursive: a library may be opened by the constructor of another, or by a handler of `atexit`.
static pthread_mutex_t opening = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void hold_forever(void) { pthread_mutex_lock(&opening); }
static void register_exit(void) { atexit(hold_forever); }

void clibrary_hold_exit(void) {
    pthread_once(&exit_once, register_exit);
    pthread_mutex_lock(&opening);
}

void clibrary_release_exit(void) { pthread_mutex_unlock(&opening); }

void *clibrary_dlopen(const char *path) {
    clibrary_hold_exit();
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    clibrary_release_exit();
    return library;
}

void *clibrary_open(
    const char *name, const char *need, const char *package, const char *rest, char *message,
    size_t size) {
    message[0] = 0;
    void *library = clibrary_dlopen(name);
    if (library) return library;
    const char *reason = dlerror();
    size_t length = strlen(name);
    // Others are a file that cannot be opened, and a library that this one needs.
    int is_missing = !reason || (strncmp(reason, name, length) == 0 && strstr(reason, strerror(ENOENT)));
    if (is_missing)
        snprintf(message, size, "%s %s, which is not on this machine (Debian: apt-get install %s)%s.",
            need, name, package, rest);
    else
        snprintf(message, size, "%s %s, which cannot be loaded (%s)%s.", need, name, reason, rest);
    return NULL;
}

int clibrary_lacks(
    const char *name, const char *function, const char *project, char *message, size_t size) {
    snprintf(message, size, "%s has no function %s: it is not the %s that lazyimg needs.", name,
        function, project);
    return -1;
}
