#include "CLibrary.h"
#include "table.h"

#define SONAME "libsystemd.so.0"

LZBusTable lz_bus_table;

static int fill(LZBusTable *table, const char *name, char *message, size_t size) {
    void *library = clibrary_open(
        name, "Asking the system about its network needs the library", "libsystemd0", "", message,
        size);
    if (!library) return -1;
#define FIND(result, function, parameters) CLIBRARY_FIND(function, "libsystemd")
    LZ_BUS_FUNCTIONS(FIND)
    return 0;
}

int lz_bus_try_load(const char *name, char *message, size_t size) {
    LZBusTable table;
    return fill(&table, name, message, size);
}

static int fill_table(char *message, size_t size) {
    return fill(&lz_bus_table, SONAME, message, size);
}

CLIBRARY_LOAD(lz_bus, fill_table)
