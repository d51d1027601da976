#include "CLibrary.h"
#include "CTIFF.h"
#include "library.h"

// Written once by `ctiff_load`; all readers have gone through it.
ctiff_table ctiff;

static int fill_table(ctiff_table *table, const char *name, char *message, size_t size) {
    void *library
        = clibrary_open(name, "TIFF needs the library", "libtiff6", "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "libtiff 4.5")
    CTIFF_FUNCTIONS(FIND)
    return 0;
}

int ctiff_probe(const char *name, char *message, size_t size) {
    ctiff_table table;
    return fill_table(&table, name, message, size);
}

static int fill(char *message, size_t size) {
    return fill_table(&ctiff, "libtiff.so.6", message, size);
}

CLIBRARY_LOAD(ctiff, fill)

const char *ctiff_library_version(void) { return ctiff.TIFFGetVersion(); }
