// OpenSSL behind a table that is filled on first use: start-up does not pay for what it does not
// hash, and the executable runs where libcrypto is missing.
#include "CDigest.h"

#include <dlfcn.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <pthread.h>
#include <string.h>

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
