#include "faults.h"

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct orders *orders;
static int decodes, traces;

// Before the program locks itself in; by system calls, since the functions are those that count.
__attribute__((constructor)) static void map_orders(int count, char **words) {
    const char *path = getenv("LAZYIMG_FAULTS");
    if (!path) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (file < 0) abort();
    void *memory = (void *)syscall(SYS_mmap, NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
    if (memory == MAP_FAILED) abort();
    syscall(SYS_close, file);
    decodes = count > 0 && strcmp(words[0], "lazyimg-decoder") == 0;
    traces = getenv("LAZYIMG_FAULTS_TRACE") != NULL;
    // The first one loads a library.
    if (traces) backtrace((void *[1]){NULL}, 1);
    orders = memory;
}

// MARK: - Whose code calls

static const char *library_of(void *address, uintptr_t *offset) {
    struct dl_find_object found;
    if (_dl_find_object(address, &found)) return "?";
    *offset = (uintptr_t)address - found.dlfo_link_map->l_addr;
    const char *name = found.dlfo_link_map->l_name, *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

enum owner faults_owner(void *caller) {
    static const char *const unchecked[] = {
        "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libstdc++", "libfontconfig", "?"};
    uintptr_t offset = 0;
    const char *library = library_of(caller, &offset);
    if (!*library) return owner_unchecked;
    static const char *const spared[] = {"libc.so", "ld-", "libglib", "libfaults"};
    for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
        if (strncmp(library, spared[i], strlen(spared[i])) == 0) return owner_spared;
    for (size_t i = 0; i < sizeof unchecked / sizeof *unchecked; i++)
        if (strncmp(library, unchecked[i], strlen(unchecked[i])) == 0) return owner_unchecked;
    return owner_library;
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

const char *faults_number(int file) {
    static const char *const names[] = {"0", "1", "2"};
    return file >= 0 && file < 3 ? names[file] : "a file";
}

// Where a disk is full, there is still who reads standard error.
static int is_spared(const char *argument) {
    return orders->is_lasting && argument && (strcmp(argument, "1") == 0 || strcmp(argument, "2") == 0);
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
