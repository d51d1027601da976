#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a library (https://llvm.org/docs/LibFuzzer.html): runs until it finds something.
int LLVMFuzzerRunDriver(
    int *_Nonnull argc, char *_Nonnull *_Nonnull *_Nonnull argv,
    int (*_Nonnull callback)(const uint8_t *_Nonnull data, size_t size));

#endif
