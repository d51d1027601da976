#ifndef CKERNELS_VECTORS_H
#define CKERNELS_VECTORS_H

// ISA-L 2.30 returns with the upper halves of the vector registers in use. While they are, each SSE instruction of this
// thread, and of the threads that it starts, depends on them (Intel 64 and IA-32 Architectures Optimization Reference
// Manual, "Mixing AVX code with SSE code"): H.264 took a tenth more time behind one sum. Each function that calls
// ISA-L ends with this.
static inline void clear_upper_halves(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper");
#endif
}

#endif
