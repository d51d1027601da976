// AES-128 in CBC mode by libcrypto, behind a table of function pointers: only encrypted streams need it.
//
// Nothing here is linked to libcrypto, nor needs its headers: the prototypes are those of evp.h, whose interface
// is stable within libcrypto.so.3. libcurl has loaded the library already where it speaks TLS.
#ifndef LAZYIMG_CAES_H
#define LAZYIMG_CAES_H

#include <stddef.h>
#include <stdint.h>

/// Loads the library once in a process; returns 0, or -1 where it is missing.
int caes_load(void);

/// Why `caes_load` failed, in one sentence.
const char *_Nonnull caes_load_message(void);

/// Decrypts bytes in place and removes their padding (PKCS #7); key and vector have 16 bytes.
///
/// Returns the number of bytes that are left, or -1 for a size that is no multiple of 16, a padding that is none,
/// or a lack of memory.
int64_t caes_decrypt(
    uint8_t *_Nonnull bytes, size_t count, const uint8_t *_Nonnull key,
    const uint8_t *_Nonnull vector);

#endif
