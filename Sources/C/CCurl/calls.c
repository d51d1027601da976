// The typed face of libcurl's functions.
#include "table.h"

#include <signal.h>
#include <time.h>

const char *lz_curl_version(void) {
    return lz_curl_table.curl_version_info(CURLVERSION_NOW)->version;
}

CURL *lz_curl_easy_new(void) { return lz_curl_table.curl_easy_init(); }

void lz_curl_easy_free(CURL *easy) { lz_curl_table.curl_easy_cleanup(easy); }

CURLcode lz_curl_set_number(CURL *easy, CURLoption option, long value) {
    return lz_curl_table.curl_easy_setopt(easy, option, value);
}

CURLcode lz_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return lz_curl_table.curl_easy_setopt(easy, option, value);
}

CURLcode lz_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return lz_curl_table.curl_easy_setopt(easy, option, value);
}

CURLcode lz_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return lz_curl_table.curl_easy_setopt(easy, option, value);
}

CURLcode lz_curl_pause(CURL *easy, int mask) { return lz_curl_table.curl_easy_pause(easy, mask); }

long lz_curl_number(CURL *easy, CURLINFO info) {
    long value = 0;
    return lz_curl_table.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

void *lz_curl_context(CURL *easy) {
    char *value = NULL;
    return lz_curl_table.curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

const char *lz_curl_message(CURLcode code) { return lz_curl_table.curl_easy_strerror(code); }

int lz_curl_set_callbacks(CURL *easy, LZCurlCallbacks callbacks, void *context) {
    CURLcode (*set)(CURL *, CURLoption, ...) = lz_curl_table.curl_easy_setopt;
    return set(easy, CURLOPT_PRIVATE, context) || set(easy, CURLOPT_WRITEFUNCTION, callbacks.write)
            || set(easy, CURLOPT_WRITEDATA, context)
            || set(easy, CURLOPT_HEADERFUNCTION, callbacks.header)
            || set(easy, CURLOPT_HEADERDATA, context)
            || set(easy, CURLOPT_PREREQFUNCTION, callbacks.connected)
            || set(easy, CURLOPT_PREREQDATA, context)
            || set(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open)
            || set(easy, CURLOPT_OPENSOCKETDATA, context)
        ? -1
        : 0;
}

struct curl_slist *lz_curl_list_adding(struct curl_slist *list, const char *line) {
    return lz_curl_table.curl_slist_append(list, line);
}

void lz_curl_list_free(struct curl_slist *list) { lz_curl_table.curl_slist_free_all(list); }

CURLM *lz_curl_multi_new(void) { return lz_curl_table.curl_multi_init(); }

// The TLS library sends a close_notify with write(2), which raises SIGPIPE on a closed connection.
void lz_curl_multi_free(CURLM *multi) {
    sigset_t pipe_set, before, pending;
    sigemptyset(&pipe_set);
    sigaddset(&pipe_set, SIGPIPE);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_set, &before);
    lz_curl_table.curl_multi_cleanup(multi);
    struct timespec none = {0, 0};
    if (!was_pending) sigtimedwait(&pipe_set, NULL, &none);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

CURLMcode lz_curl_multi_set(CURLM *multi, CURLMoption option, long value) {
    return lz_curl_table.curl_multi_setopt(multi, option, value);
}

CURLMcode lz_curl_multi_add(CURLM *multi, CURL *easy) {
    return lz_curl_table.curl_multi_add_handle(multi, easy);
}

CURLMcode lz_curl_multi_remove(CURLM *multi, CURL *easy) {
    return lz_curl_table.curl_multi_remove_handle(multi, easy);
}

CURLMcode lz_curl_multi_perform(CURLM *multi) {
    int running = 0;
    return lz_curl_table.curl_multi_perform(multi, &running);
}

CURLMcode lz_curl_multi_poll(CURLM *multi, int milliseconds) {
    return lz_curl_table.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode lz_curl_multi_wakeup(CURLM *multi) { return lz_curl_table.curl_multi_wakeup(multi); }

CURL *lz_curl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *note; (note = lz_curl_table.curl_multi_info_read(multi, &left));)
        if (note->msg == CURLMSG_DONE) {
            *result = note->data.result;
            return note->easy_handle;
        }
    return NULL;
}
