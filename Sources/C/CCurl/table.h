#ifndef CCURL_TABLE_H
#define CCURL_TABLE_H

#include "CCurl.h"

// The used functions of libcurl.
#define LZ_CURL_FUNCTIONS(X) \
    X(curl_global_init) X(curl_version_info) X(curl_easy_init) X(curl_easy_cleanup) \
    X(curl_easy_setopt) X(curl_easy_getinfo) X(curl_easy_strerror) X(curl_easy_pause) \
    X(curl_multi_init) X(curl_multi_cleanup) X(curl_multi_add_handle) \
    X(curl_multi_remove_handle) X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_wakeup) \
    X(curl_multi_info_read) X(curl_multi_setopt) X(curl_slist_append) X(curl_slist_free_all)

#define LZ_CURL_MEMBER(function) __typeof__(function) *function;
typedef struct {
    LZ_CURL_FUNCTIONS(LZ_CURL_MEMBER)
} LZCurlTable;

extern LZCurlTable lz_curl_table;

#endif
