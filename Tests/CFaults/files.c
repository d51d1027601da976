#include "faults.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// MARK: - open

#define OPEN(name, parameters, ...) \
    int name parameters { \
        static int (*real)(__VA_ARGS__, ...); \
        if (!real) real = (int (*)(__VA_ARGS__, ...))dlsym(RTLD_NEXT, #name); \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        if (FAILS(open, path)) return -1; \
        return OPEN_##name; \
    }
#define OPEN_open real(path, flags, mode)
#define OPEN_open64 real(path, flags, mode)
#define OPEN_openat real(folder, path, flags, mode)
#define OPEN_openat64 real(folder, path, flags, mode)

OPEN(open, (const char *path, int flags, ...), const char *, int)
OPEN(open64, (const char *path, int flags, ...), const char *, int)
OPEN(openat, (int folder, const char *path, int flags, ...), int, const char *, int)
OPEN(openat64, (int folder, const char *path, int flags, ...), int, const char *, int)
STAND_IN(int, __open_2, (const char *path, int flags), (path, flags), open, path, -1)
STAND_IN(int, __open64_2, (const char *path, int flags), (path, flags), open, path, -1)
STAND_IN(int, __openat_2, (int at, const char *path, int flags), (at, path, flags), open, path, -1)
STAND_IN(int, __openat64_2, (int at, const char *path, int flags), (at, path, flags), open, path, -1)
STAND_IN(DIR *, opendir, (const char *path), (path), open, path, NULL)
STAND_IN(DIR *, fdopendir, (int file), (file), open, "", NULL)
STAND_IN(FILE *, fopen, (const char *path, const char *mode), (path, mode), open, path, NULL)
STAND_IN(FILE *, fopen64, (const char *path, const char *mode), (path, mode), open, path, NULL)
STAND_IN(int, mkstemp, (char *path), (path), open, path, -1)
STAND_IN(int, mkstemp64, (char *path), (path), open, path, -1)
STAND_IN(int, mkostemp, (char *path, int flags), (path, flags), open, path, -1)
STAND_IN(int, memfd_create, (const char *name, unsigned flags), (name, flags), open, name, -1)

static _Thread_local char said[256];

void *dlopen(const char *path, int flags) {
    static void *(*real)(const char *, int);
    if (!real) real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    said[0] = 0;
    if (!path || !FAILS(open, path)) return real(path, flags);
    snprintf(said, sizeof said, "%s: cannot open shared object file: %s", path, strerror(errno));
    return NULL;
}

char *dlerror(void) {
    static char *(*real)(void);
    if (!real) real = (char *(*)(void))dlsym(RTLD_NEXT, "dlerror");
    return said[0] ? said : real();
}

// openat2 has no function in libc before 2.43.
long syscall(long number, ...) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_openat2 && FAILS(open, (const char *)b)) return -1;
    if (number == SYS_memfd_create && FAILS(open, (const char *)a)) return -1;
    if (number == SYS_renameat2 && FAILS(rename, (const char *)b)) return -1;
    return real(number, a, b, c, d, e, f);
}

// MARK: - read and write

STAND_IN(ssize_t, read, (int file, void *to, size_t size), (file, to, size), read, "", -1)
STAND_IN(ssize_t, __read_chk, (int file, void *to, size_t size, size_t room), (file, to, size, room), read, "", -1)
STAND_IN(ssize_t, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at), read, "", -1)
STAND_IN(ssize_t, pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at), read, "", -1)
STAND_IN(ssize_t, readv, (int file, const struct iovec *to, int count), (file, to, count), read, "", -1)
STAND_IN(ssize_t, preadv, (int file, const struct iovec *to, int count, off_t at), (file, to, count, at), read, "", -1)
STAND_IN(size_t, fread, (void *to, size_t size, size_t count, FILE *file), (to, size, count, file), read, "", 0)
STAND_IN(struct dirent *, readdir, (DIR *folder), (folder), read, "a folder", NULL)
STAND_IN(struct dirent64 *, readdir64, (DIR *folder), (folder), read, "a folder", NULL)
STAND_IN(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size), read, path, -1)
STAND_IN(ssize_t, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size), write, "", -1)
STAND_IN(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), write, faults_number(file), -1)
STAND_IN(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), write, faults_number(file), -1)
STAND_IN(
    ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at), write, faults_number(file), -1)
STAND_IN(ssize_t, writev, (int file, const struct iovec *from, int count), (file, from, count), write, faults_number(file), -1)
STAND_IN(
    ssize_t, pwritev, (int file, const struct iovec *from, int count, off_t at), (file, from, count, at), write, faults_number(file), -1)
STAND_IN(
    size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file), write, faults_number(fileno(file)), 0)
STAND_IN(int, ftruncate, (int file, off_t size), (file, size), write, "ftruncate", -1)
STAND_IN(int, ftruncate64, (int file, off64_t size), (file, size), write, "ftruncate", -1)

// MARK: - Names

STAND_IN(int, rename, (const char *from, const char *to), (from, to), rename, to, -1)
STAND_IN(
    int, renameat, (int from_at, const char *from, int to_at, const char *to), (from_at, from, to_at, to), rename, to, -1)
STAND_IN(
    int, renameat2, (int from_at, const char *from, int to_at, const char *to, unsigned flags),
    (from_at, from, to_at, to, flags), rename, to, -1)
STAND_IN(int, link, (const char *from, const char *to), (from, to), rename, to, -1)
STAND_IN(
    int, linkat, (int from_at, const char *from, int to_at, const char *to, int flags),
    (from_at, from, to_at, to, flags), rename, to, -1)
STAND_IN(int, symlink, (const char *to, const char *path), (to, path), rename, path, -1)
STAND_IN(int, unlink, (const char *path), (path), unlink, path, -1)
STAND_IN(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), unlink, path, -1)
STAND_IN(int, rmdir, (const char *path), (path), unlink, path, -1)
STAND_IN(int, mkdir, (const char *path, mode_t mode), (path, mode), folder, path, -1)
STAND_IN(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), folder, path, -1)

// MARK: - What is known of a file, what is mapped, what is on the disk

STAND_IN(int, stat, (const char *path, struct stat *to), (path, to), status, path, -1)
STAND_IN(int, lstat, (const char *path, struct stat *to), (path, to), status, path, -1)
STAND_IN(int, fstat, (int file, struct stat *to), (file, to), status, "fstat", -1)
STAND_IN(char *, realpath, (const char *path, char *to), (path, to), status, path, NULL)
STAND_IN(int, fstatat, (int at, const char *path, struct stat *to, int flags), (at, path, to, flags), status, path, -1)
STAND_IN(
    void *, mmap, (void *at, size_t size, int rights, int flags, int file, off_t offset),
    (at, size, rights, flags, file, offset), map, "", MAP_FAILED)
STAND_IN(
    void *, mmap64, (void *at, size_t size, int rights, int flags, int file, off64_t offset),
    (at, size, rights, flags, file, offset), map, "", MAP_FAILED)
STAND_IN(int, fsync, (int file), (file), sync, "", -1)
STAND_IN(int, fdatasync, (int file), (file), sync, "", -1)
