#include "CAES.h"

#include "CLibrary.h"

typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct engine_st ENGINE;

typedef struct {
    EVP_CIPHER_CTX *(*EVP_CIPHER_CTX_new)(void);
    void (*EVP_CIPHER_CTX_free)(EVP_CIPHER_CTX *);
    const EVP_CIPHER *(*EVP_aes_128_cbc)(void);
    int (*EVP_DecryptInit_ex)(
        EVP_CIPHER_CTX *, const EVP_CIPHER *, ENGINE *, const unsigned char *,
        const unsigned char *);
    int (*EVP_CIPHER_CTX_set_padding)(EVP_CIPHER_CTX *, int);
    int (*EVP_DecryptUpdate)(
        EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int);
} Table;

// Written once by `caes_load`; all callers have gone through it.
static Table crypto;

static int fill(char *message, size_t size) {
    static const char name[] = "libcrypto.so.3";
    Table *table = &crypto;
    void *library = clibrary_open(
        name, "Encrypted streams need the library", "libssl3", "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "OpenSSL")
    FIND(EVP_CIPHER_CTX_new)
    FIND(EVP_CIPHER_CTX_free)
    FIND(EVP_aes_128_cbc)
    FIND(EVP_DecryptInit_ex)
    FIND(EVP_CIPHER_CTX_set_padding)
    FIND(EVP_DecryptUpdate)
    return 0;
}

CLIBRARY_LOAD(caes, fill)

// The number of bytes before a padding (RFC 5652, 6.3), or -1 where there is none.
static int64_t unpadded(const uint8_t *bytes, size_t count) {
    uint8_t padding = bytes[count - 1];
    if (padding < 1 || padding > 16) return -1;
    for (size_t i = 1; i <= padding; i++)
        if (bytes[count - i] != padding) return -1;
    return (int64_t)(count - padding);
}

int64_t caes_decrypt(uint8_t *bytes, size_t count, const uint8_t *key, const uint8_t *vector) {
    if (count == 0 || count % 16) return -1;
    EVP_CIPHER_CTX *context = crypto.EVP_CIPHER_CTX_new();
    if (!context) return -1;
    int is_good =
        crypto.EVP_DecryptInit_ex(context, crypto.EVP_aes_128_cbc(), NULL, key, vector) == 1
        && crypto.EVP_CIPHER_CTX_set_padding(context, 0) == 1;
    // The functions take sizes of 31 bits.
    for (size_t done = 0; is_good && done < count;) {
        size_t left = count - done;
        int part = left < 1 << 30 ? (int)left : 1 << 30, written = 0;
        is_good = crypto.EVP_DecryptUpdate(context, bytes + done, &written, bytes + done, part) == 1
            && written == part;
        done += (size_t)part;
    }
    crypto.EVP_CIPHER_CTX_free(context);
    return is_good ? unpadded(bytes, count) : -1;
}
