#include "faults.h"

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct orders *orders;
static int decodes, traces;
static struct stat standard[2];
static void watch_signals(void);

// Before the program locks itself in; by system calls, since the functions are those that count.
__attribute__((constructor)) static void map_orders(int count, char **words) {
    const char *path = getenv("LAZYIMG_FAULTS");
    if (!path) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (file < 0) abort();
    void *memory = (void *)syscall(SYS_mmap, NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
    if (memory == MAP_FAILED) abort();
    syscall(SYS_close, file);
    for (int i = 0; i < 2; i++) syscall(SYS_fstat, i + 1, &standard[i]);
    decodes = count > 0 && strcmp(words[0], "lazyimg-decoder") == 0;
    traces = getenv("LAZYIMG_FAULTS_TRACE") != NULL;
    // The first one loads a library.
    backtrace((void *[1]){NULL}, 1);
    orders = memory;
    watch_signals();
}

// MARK: - Whose code calls

static const char *library_of(void *address, uintptr_t *offset) {
    struct dl_find_object found;
    if (_dl_find_object(address, &found)) return "?";
    *offset = (uintptr_t)address - found.dlfo_link_map->l_addr;
    const char *name = found.dlfo_link_map->l_name, *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static int is_one_of(const char *library, const char *const names[], size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(library, names[i], strlen(names[i])) == 0) return 1;
    return 0;
}

enum owner faults_owner(void *caller) {
    static const char *const swift[] = {"libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "?"};
    static const char *const spared[] = {"libc.so", "ld-", "libglib", "libfaults"};
    uintptr_t offset = 0;
    const char *library = library_of(caller, &offset);
    if (!*library || is_one_of(library, swift, sizeof swift / sizeof *swift)) return owner_swift;
    return is_one_of(library, spared, sizeof spared / sizeof *spared) ? owner_spared : owner_library;
}

// MARK: - How it ended

// The first code on the stack that is not libc's, which is where a library gives up or did not look.
static void note_end(int signal) {
    static const char *const skipped[] = {"libc.so", "ld-", "libfaults", "libgcc", "linux-vdso", "?"};
    void *frames[32];
    int count = backtrace(frames, 32);
    for (int i = 0; i < count && !orders->ended_in[0]; i++) {
        uintptr_t offset = 0;
        const char *library = library_of(frames[i], &offset);
        if (*library && is_one_of(library, skipped, sizeof skipped / sizeof *skipped)) continue;
        snprintf(orders->ended_in, sizeof orders->ended_in, "%s", *library ? library : "the program");
    }
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal);
}

static void watch_signals(void) {
    static const int signals[] = {SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE};
    struct sigaction action = {.sa_handler = note_end};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

// MARK: - Whether to fail

static void note(const char *function, const char *argument, void *caller) {
    uintptr_t offset = 0;
    const char *library = library_of(caller, &offset);
    orders->process = (int32_t)syscall(SYS_getpid);
    orders->decodes = decodes;
    snprintf(
        orders->what, sizeof orders->what, "%s(%.80s) from %.60s+0x%lx", function, argument ? argument : "",
        *library ? library : "the program", (unsigned long)offset);
}

static void trace(void) {
    void *frames[48];
    backtrace_symbols_fd(frames, backtrace(frames, 48), 2);
}

static const char standard_output[] = "standard output", standard_error[] = "standard error";

// By the file, since a program may have it under another number.
const char *faults_number(int file) {
    struct stat status;
    if (!orders || syscall(SYS_fstat, file, &status)) return "";
    for (int i = 0; i < 2; i++)
        if (status.st_dev == standard[i].st_dev && status.st_ino == standard[i].st_ino)
            return i ? standard_error : standard_output;
    return "a file";
}

// Where a disk is full, there is still who reads what a program says.
static int is_spared(const char *argument) {
    return orders->is_lasting && (argument == standard_output || argument == standard_error);
}

// Swift's Dispatch ends a process in which it cannot read what its threads do.
static int is_of_dispatch(const char *argument) {
    return argument && strncmp(argument, "/proc/", 6) == 0 && argument[6] >= '0' && argument[6] <= '9';
}

int faults_fails(enum kind kind, const char *function, const char *argument, void *caller) {
    if (!orders || is_of_dispatch(argument) || is_spared(argument)) return 0;
    uint32_t place = atomic_fetch_add(&orders->seen[kind], 1) + 1;
    if (orders->kind != (uint32_t)kind || !orders->number) return 0;
    if (place < orders->number || (place > orders->number && !orders->is_lasting)) return 0;
    if (atomic_fetch_add(&orders->failed, 1) == 0) {
        note(function, argument, caller);
        if (traces) trace();
    }
    errno = orders->error;
    return 1;
}
