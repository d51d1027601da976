// Loading a shared library when it is first needed, for the C modules with a table of functions.
#ifndef LAZYIMG_CLIBRARY_H
#define LAZYIMG_CLIBRARY_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/// Holds `exit` up until `clibrary_release_exit`, while a library is opened, initialized, or first used; may be nested.
///
/// Once `exit` was called it blocks forever in other threads: glibc runs destructors without the loader's lock, and a
/// library that is opened or initialized concurrently uses others whose destructors have run.
void clibrary_hold_exit(void);
void clibrary_release_exit(void);

/// Opens a library for the life of the process, with lazy binding and local symbols, while `exit` is held up; null if
/// it cannot be opened.
void *clibrary_dlopen(const char *path);

/// Opens a library for the life of the process: libraries keep threads and static tables.
///
/// Lazy binding: only called functions are looked up. Local: symbols do not mix with those of another
/// version in the process. Where it is missing, `message` says so; `need` is such as "AVIF needs the
/// library", `rest` continues after the name of the Debian package.
void *clibrary_open(
    const char *name, const char *need, const char *package, const char *rest, char *message,
    size_t size);

/// Says in `message` that a library has no function of a name, and returns -1.
int clibrary_lacks(
    const char *name, const char *function, const char *project, char *message, size_t size);

/// Fills one field of `table` from `library`; the function around it has `name`, `message`, `size`.
#define CLIBRARY_FIND(function, project) \
    if (!(table->function = (__typeof__(table->function))dlsym(library, #function))) \
        return clibrary_lacks(name, #function, project, message, size);

/// Defines `prefix_load`, which calls `fill` once in a process while `exit` is held up, and `prefix_load_message`.
#define CLIBRARY_LOAD(prefix, fill) \
    static pthread_once_t load_once = PTHREAD_ONCE_INIT; \
    static int load_result; \
    static char load_message[256]; \
    static void load(void) { \
        clibrary_hold_exit(); \
        load_result = fill(load_message, sizeof load_message); \
        clibrary_release_exit(); \
    } \
    int prefix##_load(void) { \
        pthread_once(&load_once, load); \
        return load_result; \
    } \
    const char *prefix##_load_message(void) { return load_message; }

#endif
