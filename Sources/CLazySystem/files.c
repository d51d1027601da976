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

// A byte far behind the end of any file stands for each place.
static struct flock lock_of(uint64_t place, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
    lock.l_start = (off_t)((UINT64_C(1) << 62) | (place >> 2));
    return lock;
}

int lazy_claim(int descriptor, uint64_t place) {
    struct flock lock = lock_of(place, F_WRLCK);
    if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
    return errno == EAGAIN || errno == EACCES ? -1 : 0;
}

void lazy_release(int descriptor, uint64_t place) {
    struct flock lock = lock_of(place, F_UNLCK);
    fcntl(descriptor, F_OFD_SETLK, &lock);
}

// The byte before the first place stands for the file itself.
static const off_t attendance = (off_t)(UINT64_C(1) << 62) - 1;

int lazy_attend(int descriptor) {
    struct flock places = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = attendance + 1};
    fcntl(descriptor, F_OFD_SETLK, &places);
    struct flock lock = {
        .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = attendance, .l_len = 1};
    int result;
    do result = fcntl(descriptor, F_OFD_SETLKW, &lock);
    while (result != 0 && errno == EINTR);
    return result;
}

int lazy_have_alone(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = attendance};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int lazy_rename_new(const char *from, const char *to) {
    int result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
    // A file system without the flag: a second name, which fails where it is taken, then one less.
    if (link(from, to) != 0) return -1;
    return unlink(from);
}
