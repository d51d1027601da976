// Runs before any test: code that reads the working directory, or a cache, setting or file of the
// user's, finds an empty folder, and so does every program that a test starts.
#define _GNU_SOURCE
#include "ctestisolation.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[PATH_MAX];
static char work[PATH_MAX + 8];
static pid_t owner;

const char *ctestisolation_folder(void) { return work; }

static void set_folder(const char *variable, const char *name) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    mkdir(path, 0700);
    setenv(variable, path, 1);
}

// A path relative to the folder of before would name nothing.
static void make_absolute(const char *variable) {
    char path[PATH_MAX];
    const char *value = getenv(variable);
    if (value && value[0] != '/' && realpath(value, path)) setenv(variable, path, 1);
}

__attribute__((constructor)) static void isolate(void) {
    const char *inherited = getenv("LAZYIMG_TEST_SCRATCH");
    make_absolute("LAZYIMG_BINARY");
    if (inherited) {
        // An exit test: the folder is its parent's.
        snprintf(scratch, sizeof scratch, "%s", inherited);
    } else {
        const char *parent = getenv("TMPDIR");
        snprintf(scratch, sizeof scratch, "%s/lazyimg-tests-XXXXXX",
                 parent && parent[0] == '/' ? parent : "/tmp");
        if (!mkdtemp(scratch)) {
            perror("no folder for tests");
            _exit(71);
        }
        owner = getpid();
        setenv("LAZYIMG_TEST_SCRATCH", scratch, 1);
    }
    set_folder("HOME", "home");
    set_folder("XDG_CACHE_HOME", "cache");
    set_folder("XDG_CONFIG_HOME", "config");
    set_folder("XDG_DATA_HOME", "data");
    set_folder("XDG_STATE_HOME", "state");
    set_folder("XDG_RUNTIME_DIR", "run");
    snprintf(work, sizeof work, "%s/work", scratch);
    mkdir(work, 0700);
    if (chdir(work) != 0) {
        perror(work);
        _exit(71);
    }
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path), 0;
}

__attribute__((destructor)) static void tidy(void) {
    if (owner == getpid()) nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
