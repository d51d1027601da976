#include "table.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define SONAME "libsystemd.so.0"

LZBusTable lz_bus_table;

static int fill(LZBusTable *table, const char *name, char *message, size_t size) {
    message[0] = 0;
    // Never closed, because of its thread-local state.
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        snprintf(message, size,
            "Asking the system about its network needs the library %s, which is not on this machine"
            " (Debian: apt-get install libsystemd0).", name);
        return -1;
    }
#define FIND(result, function, parameters) \
    if (!(table->function = (__typeof__(table->function))dlsym(library, #function))) { \
        snprintf(message, size, \
            "%s has no function %s: it is not the libsystemd that lazyimg needs.", name, #function); \
        return -1; \
    }
    LZ_BUS_FUNCTIONS(FIND)
    return 0;
}

int lz_bus_try_load(const char *name, char *message, size_t size) {
    LZBusTable table;
    return fill(&table, name, message, size);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int result;
static char load_message[256];

static void load(void) { result = fill(&lz_bus_table, SONAME, load_message, sizeof load_message); }

int lz_bus_load(void) {
    pthread_once(&once, load);
    return result;
}

const char *lz_bus_load_message(void) { return load_message; }
