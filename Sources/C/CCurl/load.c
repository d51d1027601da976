#include "CLibrary.h"
#include "table.h"

#include <stdint.h>

#define SONAME "libcurl.so.4"

// 7.85: CURLOPT_PROTOCOLS_STR.
#define LEAST_VERSION 0x075500

LZCurlTable lz_curl_table;

/// Keeps OpenSSL from freeing its state at `exit`, which other threads may still use; other TLS libraries have no such
/// function. Must come before anything else initializes OpenSSL.
static void keep_tls(void *library) {
    const uint64_t no_atexit = 0x00080000;  // OPENSSL_INIT_NO_ATEXIT
    int (*initialize)(uint64_t, const void *)
        = (__typeof__(initialize))dlsym(library, "OPENSSL_init_crypto");
    if (initialize) initialize(no_atexit, NULL);
}

static int fill(
    LZCurlTable *table, const char *name, unsigned least_version, char *message, size_t size) {
    void *library = clibrary_open(
        name, "Loading over HTTP needs the library", "libcurl4", "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "libcurl")
    LZ_CURL_FUNCTIONS(FIND)
    const curl_version_info_data *info = table->curl_version_info(CURLVERSION_NOW);
    if (info->version_num < least_version) {
        snprintf(message, size, "%s is version %s, but lazyimg needs %u.%u or newer.", name,
            info->version, least_version >> 16, least_version >> 8 & 0xFF);
        return -1;
    }
    keep_tls(library);
    if (table->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        snprintf(message, size, "%s cannot be initialized.", name);
        return -1;
    }
    return 0;
}

int lz_curl_try_load(const char *name, unsigned least_version, char *message, size_t size) {
    LZCurlTable table;
    return fill(&table, name, least_version, message, size);
}

static int fill_table(char *message, size_t size) {
    return fill(&lz_curl_table, SONAME, LEAST_VERSION, message, size);
}

CLIBRARY_LOAD(lz_curl, fill_table)
