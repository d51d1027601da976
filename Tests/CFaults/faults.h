// Makes one call of libc fail in each program that this library is preloaded into. `Tests/Faults/run.py` says which.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

// What run.py calls these kinds is in the same order in its `KINDS`.
enum kind {
    kind_none, kind_open, kind_read, kind_write, kind_rename, kind_unlink, kind_map, kind_process, kind_thread,
    kind_connect, kind_sync, kind_folder, kind_status, kind_descriptor, kind_allocation, kind_swift_allocation,
    kind_count,
};

// The file that LAZYIMG_FAULTS names, shared by all processes of a run: a locked decoder counts in it without a system call.
struct orders {
    uint32_t kind, number;
    int32_t error;
    // Set where all later calls fail, too, as on a full disk.
    uint32_t is_lasting;
    // Of the first call that failed: the process, and whether it decodes.
    int32_t process, decodes;
    atomic_uint failed;
    // The calls of each kind.
    atomic_uint seen[kind_count];
    // What the first call that failed was, and from where; the library in which a signal ended a process.
    char what[200], ended_in[40];
};

// Whether this call fails. It then has `errno`, which is the error itself for functions that return it.
int faults_fails(enum kind kind, const char *function, const char *argument, void *caller);

// A descriptor as an argument.
const char *faults_number(int file);

// Whose the code at an address is.
enum owner {
    owner_library,
    // The program and Swift's libraries: Swift ends the process where there is no memory.
    owner_swift,
    // What libc asks for itself belongs to calls that have kinds of their own. glib waits for itself for ever where it has no
    // memory to begin with.
    owner_spared,
};
enum owner faults_owner(void *caller);

#define CALLER __builtin_return_address(0)
#define FAILS(kind, argument) faults_fails(kind_##kind, __func__, argument, CALLER)

// Defines a function that fails when it should, and is libc's otherwise.
#define STAND_IN(result, name, parameters, arguments, kind, argument, failure) \
    result name parameters { \
        static result(*real) parameters; \
        if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
        if (FAILS(kind, argument)) return failure; \
        return real arguments; \
    }
