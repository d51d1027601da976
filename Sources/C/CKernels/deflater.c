#define _GNU_SOURCE
#include "deflater.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

// Where deflaters lie in memory, so that equal bytes always become equal streams.
//
// ISA-L 2.30 on x86-64 looks the third byte of a stream up in its hash table not by that byte and
// the next three, but by bits 16 to 47 of the address of its state: at `.write_first_byte`
// `isal_deflate_icf_body` shifts a register that it never loaded. A stream is right whatever the
// address is, but some matches depend on it, and with them on where the system puts memory. So each
// state lies at an address whose bits have the same hash, that of four zeros. Where all addresses
// that are tried are taken, any other serves.

#ifdef __x86_64__
enum { TRIES = 64 };
#else
enum { TRIES = 0 };
#endif
enum { IDLE = 4 };
static const uint32_t first_step = 0x4000, last_step = 0xA000;  // 32 to 80 TiB: mostly free.

static struct {
    pthread_mutex_t lock;
    cscanline_deflater *idle[IDLE];
    int idle_count;
    uint32_t step;
} places = {.lock = PTHREAD_MUTEX_INITIALIZER, .step = first_step};

/// The one address between `step` and the next, in units of 2 GiB, where the CRC-32C of bits 16 to
/// 47 ends with 15 zeros and bits 0 to 15 are 0.
static void *address_in(uint32_t step) {
    // For each bit of a step, bits 16 to 30 that make its CRC end with zeros: CRCs are linear.
    static const uint16_t lower[17] = {
        22219, 6917, 13834, 27668, 3811, 7622, 15244, 5952, 11904,
        15704, 6888, 13776, 27552, 25043, 30005, 23801, 3937,
    };
    uintptr_t low = 0;
    for (int bit = 0; bit < 17; bit++)
        if (step >> bit & 1) low ^= lower[bit];
    return (void *)(((uintptr_t)step << 15 | low) << 16);
}

static uint32_t next_step(void) {
    pthread_mutex_lock(&places.lock);
    uint32_t step = places.step++;
    if (places.step == last_step) places.step = first_step;
    pthread_mutex_unlock(&places.lock);
    return step;
}

static cscanline_deflater *idle_deflater(void) {
    pthread_mutex_lock(&places.lock);
    cscanline_deflater *deflater = places.idle_count > 0 ? places.idle[--places.idle_count] : NULL;
    pthread_mutex_unlock(&places.lock);
    return deflater;
}

cscanline_deflater *cscanline_deflater_make(void) {
    cscanline_deflater *deflater = idle_deflater();
    const int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    for (int i = 0; !deflater && i < TRIES; i++) {
        void *wanted = address_in(next_step());
        void *found =
            mmap(wanted, sizeof *deflater, protection, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (found == wanted)
            deflater = found;
        else if (found != MAP_FAILED)
            munmap(found, sizeof *deflater);
    }
    if (deflater) return deflater;
    void *anywhere = mmap(NULL, sizeof *deflater, protection, flags, -1, 0);
    return anywhere == MAP_FAILED ? NULL : anywhere;
}

void cscanline_deflater_free(cscanline_deflater *deflater) {
    if (!deflater) return;
    pthread_mutex_lock(&places.lock);
    int is_kept = places.idle_count < IDLE;
    if (is_kept) places.idle[places.idle_count++] = deflater;
    pthread_mutex_unlock(&places.lock);
    if (!is_kept) munmap(deflater, sizeof *deflater);
}
