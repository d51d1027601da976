#include "table.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define SONAME "libcurl.so.4"

// 7.85: CURLOPT_PROTOCOLS_STR.
#define LEAST_VERSION 0x075500

LZCurlTable lz_curl_table;

static int fill(
    LZCurlTable *table, const char *name, unsigned least_version, char *message, size_t size) {
    message[0] = 0;
    // Never closed, because its threads and TLS library do not support that.
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        snprintf(message, size,
            "Loading over HTTP needs the library %s, which is not on this machine"
            " (Debian: apt-get install libcurl4).", name);
        return -1;
    }
#define FIND(function) \
    if (!(table->function = (__typeof__(table->function))dlsym(library, #function))) { \
        snprintf(message, size, \
            "%s has no function %s: it is not the libcurl that lazyimg needs.", name, #function); \
        return -1; \
    }
    LZ_CURL_FUNCTIONS(FIND)
    const curl_version_info_data *info = table->curl_version_info(CURLVERSION_NOW);
    if (info->version_num < least_version) {
        snprintf(message, size, "%s is version %s, but lazyimg needs %u.%u or newer.", name,
            info->version, least_version >> 16, least_version >> 8 & 0xFF);
        return -1;
    }
    if (table->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        snprintf(message, size, "%s cannot be initialised.", name);
        return -1;
    }
    return 0;
}

int lz_curl_try_load(const char *name, unsigned least_version, char *message, size_t size) {
    LZCurlTable table;
    return fill(&table, name, least_version, message, size);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int result;
static char load_message[256];

static void load(void) {
    result = fill(&lz_curl_table, SONAME, LEAST_VERSION, load_message, sizeof load_message);
}

int lz_curl_load(void) {
    pthread_once(&once, load);
    return result;
}

const char *lz_curl_load_message(void) { return load_message; }
