#include "CMagic.h"

#include "CLibrary.h"

#include <pthread.h>
#include <string.h>

typedef struct magic_set *magic_t;

typedef struct {
    magic_t (*magic_open)(int);
    void (*magic_close)(magic_t);
    int (*magic_load)(magic_t, const char *);
    int (*magic_setflags)(magic_t, int);
    const char *(*magic_buffer)(magic_t, const void *, size_t);
    int (*magic_version)(void);
} Table;

// Flags of magic.h. Nothing is decompressed, no ELF tables are walked, and a list of words is no CSV.
enum { mime_type = 0x10, plain = 0x1000 | 0x10000 | 0x80000 };

// Written once by `cmagic_load`; all callers have gone through it.
static Table library_table;
static magic_t database;
static pthread_mutex_t in_use = PTHREAD_MUTEX_INITIALIZER;

static int fill(char *message, size_t size) {
    static const char name[] = "libmagic.so.1";
    Table *table = &library_table;
    void *library =
        clibrary_open(name, "Naming what is not read needs the library", "libmagic1", "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "file")
    FIND(magic_open)
    FIND(magic_close)
    FIND(magic_load)
    FIND(magic_setflags)
    FIND(magic_buffer)
    FIND(magic_version)
    database = table->magic_open(plain);
    if (database && table->magic_load(database, NULL) == 0) return 0;
    if (database) table->magic_close(database);
    database = NULL;
    snprintf(message, size, "Naming what is not read needs the database of libmagic (Debian: libmagic-mgc).");
    return -1;
}

CLIBRARY_LOAD(cmagic, fill)

int cmagic_version(void) { return library_table.magic_version(); }

static int describe(const void *bytes, size_t count, int flags, char *text, size_t size) {
    library_table.magic_setflags(database, flags);
    const char *found = library_table.magic_buffer(database, bytes, count);
    if (!found) return -1;
    // Version 5.45 and later know Zip by its end, which they look for in files only.
    if (count >= 4 && memcmp(bytes, "PK\3\4", 4) == 0 &&
        strcmp(found, flags & mime_type ? "application/octet-stream" : "data") == 0) {
        found = flags & mime_type ? "application/zip" : "Zip archive data";
    }
    snprintf(text, size, "%s", found);
    return 0;
}

int cmagic_describe(
    const void *bytes, size_t count, char *text, size_t text_size, char *type, size_t type_size) {
    pthread_mutex_lock(&in_use);
    int result = describe(bytes, count, plain, text, text_size);
    if (result == 0) result = describe(bytes, count, plain | mime_type, type, type_size);
    pthread_mutex_unlock(&in_use);
    return result;
}
