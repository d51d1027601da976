#ifndef CCURL_H
#define CCURL_H

// libcurl behind a table of function pointers that is filled on first use: start-up does not pay
// for it, and what loads only files runs where libcurl is missing. Only the headers are needed to
// build. Its variadic functions, which Swift cannot call, have a typed one here for each use.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// A field is longer than libcurl's buffer: CURLE_TOO_LARGE of curl 8.6, which older headers lack.
static const CURLcode LZ_CURLE_TOO_LARGE = (CURLcode)100;

/// Loads and initializes libcurl on the first call; 0 on success. Thread-safe.
int lz_curl_load(void);

/// One sentence with the reason of a failure.
const char *lz_curl_load_message(void);

/// Loads a library by name into a temporary table, like `lz_curl_load`; for tests.
int lz_curl_try_load(const char *name, unsigned least_version, char *message, size_t size);

/// The version, such as `7.88.1`; like everything below, valid after loading.
const char *lz_curl_version(void);

// A transfer.

CURL *lz_curl_easy_new(void);
void lz_curl_easy_free(CURL *easy);
CURLcode lz_curl_set_number(CURL *easy, CURLoption option, long value);
CURLcode lz_curl_set_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode lz_curl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode lz_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode lz_curl_pause(CURL *easy, int mask);
long lz_curl_number(CURL *easy, CURLINFO info);
void *lz_curl_context(CURL *easy);
const char *lz_curl_message(CURLcode code);

/// The callbacks of a transfer; each gets the context.
typedef struct {
    size_t (*write)(char *bytes, size_t size, size_t count, void *context);
    size_t (*header)(char *bytes, size_t size, size_t count, void *context);
    int (*connected)(void *context, char *, char *, int, int);
    curl_socket_t (*open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
} LZCurlCallbacks;

/// Sets the callbacks and the context of a transfer; 0 on success.
int lz_curl_set_callbacks(CURL *easy, LZCurlCallbacks callbacks, void *context);

struct curl_slist *lz_curl_list_adding(struct curl_slist *list, const char *line);
void lz_curl_list_free(struct curl_slist *list);

// Many transfers on one thread.

CURLM *lz_curl_multi_new(void);

/// Frees it; blocks `SIGPIPE`, which closing connections may raise.
void lz_curl_multi_free(CURLM *multi);
CURLMcode lz_curl_multi_set(CURLM *multi, CURLMoption option, long value);
CURLMcode lz_curl_multi_add(CURLM *multi, CURL *easy);
CURLMcode lz_curl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode lz_curl_multi_perform(CURLM *multi);
CURLMcode lz_curl_multi_poll(CURLM *multi, int milliseconds);

/// Ends a poll; the only thread-safe function.
CURLMcode lz_curl_multi_wakeup(CURLM *multi);

/// Removes the next finished transfer from the list, or returns null.
CURL *lz_curl_multi_next_done(CURLM *multi, CURLcode *result);

#endif
