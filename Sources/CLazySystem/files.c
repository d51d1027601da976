#define _GNU_SOURCE
#include "CLazySystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int lazy_open_unnamed(const char *folder, unsigned mode) {
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int lazy_link_unnamed(int descriptor, const char *path) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int lazy_rename_new(const char *from, const char *to) {
    int result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
    // A file system without the flag: a second name, which fails where it is taken, then one less.
    if (link(from, to) != 0) return -1;
    return unlink(from);
}
