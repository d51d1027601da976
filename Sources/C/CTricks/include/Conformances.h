#ifndef LAZYIMG_CONFORMANCES_H
#define LAZYIMG_CONFORMANCES_H

// An index of the protocol conformances of this executable, by protocol and type.
//
// Swift's run-time library looks up a conformance (`as? P`, a generic type made at run time) by comparing all
// records of the executable, 5 000 here, and keeps the answer. A program that asks for 150 of them once, as
// ArgumentParser does, spends half of its start there. `scripts/link-flags.sh` links the release build with
// `--wrap=swift_conformsToProtocolWithExecutionContext`, so that the index answers first. Without that flag the
// module does nothing.
//
// The layout of the records is part of Swift's ABI: docs/ABI/TypeMetadata.rst and
// include/swift/ABI/Metadata.h (TargetProtocolConformanceDescriptor) of the Swift repository.

// The answer of the index.
typedef enum {
    // The index does not know: the run-time library has to search.
    LAZY_CONFORMANCE_UNKNOWN,
    // The type does not conform.
    LAZY_CONFORMANCE_ABSENT,
    // The type conforms, without conditions.
    LAZY_CONFORMANCE_PRESENT,
} lazy_conformance;

// Looks up a conformance of `type` (metadata) to `protocol` (descriptor). The index of all records is made by the
// first call. `record` gets the conformance descriptor if the answer is LAZY_CONFORMANCE_PRESENT.
// Safe on any thread.
lazy_conformance lazy_conformance_find(const void *type, const void *protocol, const void **record);

#endif
