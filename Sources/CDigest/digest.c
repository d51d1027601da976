// OpenSSL behind a table that is filled on first use: start-up does not pay for what it does not
// hash, and the executable runs where libcrypto is missing.
#include "CDigest.h"
#include "Sum.h"

#include <dlfcn.h>
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_(major) "libcrypto.so." #major
#define NAME(major) NAME_(major)

static struct {
    EVP_MD_CTX *(*make)(void);
    void (*release)(EVP_MD_CTX *);
    const EVP_MD *(*sha256)(void);
    int (*begin)(EVP_MD_CTX *, const EVP_MD *, ENGINE *);
    int (*update)(EVP_MD_CTX *, const void *, size_t);
    int (*end)(EVP_MD_CTX *, unsigned char *, unsigned int *);
    int is_available;
} crypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen(NAME(OPENSSL_SHLIB_VERSION), RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    *(void **)&crypto.make = dlsym(library, "EVP_MD_CTX_new");
    *(void **)&crypto.release = dlsym(library, "EVP_MD_CTX_free");
    *(void **)&crypto.sha256 = dlsym(library, "EVP_sha256");
    *(void **)&crypto.begin = dlsym(library, "EVP_DigestInit_ex");
    *(void **)&crypto.update = dlsym(library, "EVP_DigestUpdate");
    *(void **)&crypto.end = dlsym(library, "EVP_DigestFinal_ex");
    crypto.is_available = crypto.make && crypto.release && crypto.sha256 && crypto.begin
        && crypto.update && crypto.end;
}

int lazy_digest_is_available(void) {
    pthread_once(&once, load);
    return crypto.is_available;
}

// Hashes a copy of each piece in which invisible colours are 0; a piece stays in the first cache.
static int update_visible(EVP_MD_CTX *context, const uint8_t *pixels, size_t byte_count) {
    uint32_t piece[4096];
    while (byte_count) {
        size_t length = byte_count < sizeof piece ? byte_count : sizeof piece;
        memcpy(piece, pixels, length);
        for (size_t i = 0; i < length / 4; i++)
            piece[i] &= (piece[i] >> 24) ? UINT32_MAX : 0;
        if (!crypto.update(context, piece, length)) return 0;
        pixels += length;
        byte_count -= length;
    }
    return 1;
}

int lazy_digest_rgba(const uint8_t *pixels, size_t byte_count, int is_opaque, uint8_t *digest) {
    if (!lazy_digest_is_available()) return 0;
    EVP_MD_CTX *context = crypto.make();
    if (!context) return 0;
    int good = crypto.begin(context, crypto.sha256(), NULL);
    good = good && (is_opaque ? crypto.update(context, pixels, byte_count)
                              : update_visible(context, pixels, byte_count));
    good = good && crypto.end(context, digest, NULL);
    crypto.release(context);
    return good;
}

// A sum by libcrypto, which knows the processor's instructions for it, or by ourselves.
typedef struct {
    EVP_MD_CTX *context;
    lazy_sum own;
} any_sum;

static int begin(any_sum *sum) {
    sum->context = lazy_digest_is_available() ? crypto.make() : NULL;
    if (sum->context) return crypto.begin(sum->context, crypto.sha256(), NULL);
    lazy_sum_begin(&sum->own);
    return 1;
}

static int add(any_sum *sum, const void *bytes, size_t count) {
    if (sum->context) return crypto.update(sum->context, bytes, count);
    lazy_sum_add(&sum->own, bytes, count);
    return 1;
}

static int end(any_sum *sum, uint8_t *digest, int is_good) {
    if (!sum->context) {
        lazy_sum_end(&sum->own, digest);
        return is_good;
    }
    is_good = is_good && crypto.end(sum->context, digest, NULL);
    crypto.release(sum->context);
    return is_good;
}

// Adds a part of a file; what ends before is not an error, for the size has been told apart.
static int add_part(any_sum *sum, int file, uint64_t offset, uint64_t count) {
    enum { piece = 1 << 18 };
    uint8_t *bytes = malloc(piece);
    if (!bytes) return 0;
    int is_good = 1;
    while (is_good && count) {
        ssize_t got = pread(file, bytes, count < piece ? count : piece, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) is_good = 0;
        if (got <= 0) break;
        is_good = add(sum, bytes, (size_t)got);
        offset += (uint64_t)got;
        count -= (uint64_t)got;
    }
    free(bytes);
    return is_good;
}

int lazy_sha256_file(int file, uint8_t *digest) {
    any_sum sum;
    int is_good = begin(&sum) && add_part(&sum, file, 0, UINT64_MAX);
    return end(&sum, digest, is_good);
}

int lazy_sha256_parts(int file, uint64_t size, uint8_t *digest) {
    const uint64_t part = 4 << 20;
    uint8_t length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(size >> (8 * i));
    any_sum sum;
    int is_good = begin(&sum) && add(&sum, length, sizeof length)
        && add_part(&sum, file, 0, part) && add_part(&sum, file, size / 2, part)
        && add_part(&sum, file, size > part ? size - part : 0, part);
    return end(&sum, digest, is_good);
}
