#define _GNU_SOURCE
#include "CLazySystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

int lazy_open_unnamed(const char *folder, unsigned mode) {
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int lazy_link_unnamed(int descriptor, const char *path) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

const int lazy_current_folder = AT_FDCWD;

int lazy_open_place(int folder, const char *name, int follows) {
    return openat(folder, name, O_PATH | O_CLOEXEC | (follows ? O_DIRECTORY : O_NOFOLLOW));
}

// The same as openat2, for kernels before 5.6 and sandboxes without it.
int lazy_open_stepwise(int folder, const char *path, int flags, unsigned mode) {
    char part[256];
    int at = folder, result = -1;
    for (;;) {
        size_t length = strcspn(path, "/");
        if (length == 0 || length >= sizeof part || path[0] == '/') {
            errno = length == 0 ? EXDEV : ENAMETOOLONG;
            break;
        }
        memcpy(part, path, length);
        part[length] = 0;
        if (strcmp(part, "..") == 0) {
            errno = EXDEV;
            break;
        }
        path += length;
        if (*path == 0) {
            result = openat(at, part, flags | O_NOFOLLOW | O_CLOEXEC, mode);
            break;
        }
        path++;
        int next = openat(at, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (next < 0) break;
        if (at != folder) close(at);
        at = next;
    }
    int code = errno;
    if (at != folder) close(at);
    errno = code;
    return result;
}

static int open_beneath(int folder, const char *path, int flags, unsigned mode, int follows) {
#ifdef SYS_openat2
    static atomic_bool is_missing;
    if (!atomic_load_explicit(&is_missing, memory_order_relaxed)) {
        struct open_how how = {
            .flags = (uint64_t)(flags | (follows ? 0 : O_NOFOLLOW) | O_CLOEXEC),
            .mode = flags & O_CREAT ? mode : 0,
            .resolve = RESOLVE_BENEATH | (follows ? RESOLVE_NO_MAGICLINKS : RESOLVE_NO_SYMLINKS)};
        long result;
        do result = syscall(SYS_openat2, folder, path, &how, sizeof how);
        while (result < 0 && (errno == EINTR || errno == EAGAIN));
        // Sandboxes refuse unknown calls with EPERM, which may also be a genuine error.
        if (result >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)result;
        if (errno == ENOSYS) atomic_store_explicit(&is_missing, 1, memory_order_relaxed);
    }
#endif
    int result;
    do result = lazy_open_stepwise(folder, path, flags, mode);
    while (result < 0 && errno == EINTR);
    return result;
}

int lazy_open_beneath(int folder, const char *path, int flags, unsigned mode) {
    return open_beneath(folder, path, flags, mode, 0);
}

int lazy_open_inside(int folder, const char *path, int flags) {
    return open_beneath(folder, path, flags, 0, 1);
}

// Each slot is a byte far beyond the end of any file.
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

// The byte before the first slot represents the file itself.
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
    // Without support of the flag: a hard link, which fails if the name exists, then unlink.
    if (link(from, to) != 0) return -1;
    return unlink(from);
}
