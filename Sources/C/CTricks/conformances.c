#include "Conformances.h"
#include "Tricks.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// What Swift's linker script symbols bound: relative addresses of conformance descriptors.
extern const int32_t __start_swift5_protocol_conformances[] __attribute__((weak));
extern const int32_t __stop_swift5_protocol_conformances[] __attribute__((weak));

// A conformance descriptor. The first three fields are addresses relative to themselves.
typedef struct {
    int32_t protocol;  // bit 0: the address of a pointer
    int32_t type;
    int32_t witness_table;
    uint32_t flags;
} conformance;

enum {
    TYPE_KIND_SHIFT = 3,
    TYPE_KIND_MASK = 7,
    TYPE_DIRECT = 0,
    TYPE_INDIRECT = 1,
    CONDITIONS_MASK = 0xFF << 8,
    ISOLATED = 1 << 19,
};

// The start of metadata: the kind and, of a value type, the descriptor.
typedef struct {
    uintptr_t kind;
    const uint32_t *descriptor;
} metadata;

enum { KIND_STRUCT = 0x200, KIND_ENUM = 0x201, KIND_OPTIONAL = 0x202, DESCRIPTOR_UNIQUE = 0x40 };

enum { SLOTS = 1 << 14 };
// Numbers of records, counted from 1.
static uint16_t slots[SLOTS];
static size_t record_count;

static const void *relative(const int32_t *field, int32_t offset) {
    return (const char *)field + offset;
}

static const conformance *record_at(size_t index) {
    const int32_t *field = &__start_swift5_protocol_conformances[index];
    return relative(field, *field);
}

static const void *protocol_of(const conformance *record) {
    const void *address = relative(&record->protocol, record->protocol & ~1);
    return record->protocol & 1 ? *(const void *const *)address : address;
}

// NULL if the type is not named by its descriptor.
static const void *type_of(const conformance *record) {
    const void *address = relative(&record->type, record->type);
    switch (record->flags >> TYPE_KIND_SHIFT & TYPE_KIND_MASK) {
    case TYPE_DIRECT: return address;
    case TYPE_INDIRECT: return *(const void *const *)address;
    default: return NULL;
    }
}

static size_t slot_of(const void *type, const void *protocol) {
    uint64_t hash = (uintptr_t)type * 0x9E3779B97F4A7C15u ^ (uintptr_t)protocol * 0xC2B2AE3D27D4EB4Fu;
    return (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u >> 50;
}

static void make_index(void) {
    size_t count =
        __stop_swift5_protocol_conformances - __start_swift5_protocol_conformances;
    if (!tricks_applies(tricks_conformances, tricks_this_machine())) return;
    // Half of the slots stay empty. More records than that are left to the run-time library.
    if (!__start_swift5_protocol_conformances || count > SLOTS / 2) return;
    for (size_t index = 0; index < count; index++) {
        const conformance *record = record_at(index);
        const void *type = type_of(record);
        if (!type) continue;
        size_t slot = slot_of(type, protocol_of(record));
        while (slots[slot]) slot = (slot + 1) % SLOTS;
        slots[slot] = (uint16_t)(index + 1);
    }
    record_count = count;
}

lazy_conformance lazy_conformance_find(const void *type, const void *protocol, const void **record) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const metadata *known = type;
    // Classes inherit conformances, and other types have none of their own here.
    if (known->kind < KIND_STRUCT || known->kind > KIND_OPTIONAL) return LAZY_CONFORMANCE_UNKNOWN;
    // Types of C have several descriptors, which are equal by name.
    if (!(*known->descriptor & DESCRIPTOR_UNIQUE)) return LAZY_CONFORMANCE_UNKNOWN;
    pthread_once(&once, make_index);
    if (!record_count) return LAZY_CONFORMANCE_UNKNOWN;
    const conformance *found = NULL;
    for (size_t slot = slot_of(known->descriptor, protocol); slots[slot]; slot = (slot + 1) % SLOTS) {
        const conformance *candidate = record_at(slots[slot] - 1);
        if (type_of(candidate) != known->descriptor || protocol_of(candidate) != protocol) continue;
        // Several modules declare this conformance.
        if (found) return LAZY_CONFORMANCE_UNKNOWN;
        found = candidate;
    }
    if (!found) return LAZY_CONFORMANCE_ABSENT;
    if (found->flags & (CONDITIONS_MASK | ISOLATED)) return LAZY_CONFORMANCE_UNKNOWN;
    *record = found;
    return LAZY_CONFORMANCE_PRESENT;
}

// The linker's names for functions of the run-time library (`real`), and for what is called in their place (`wrap`).
#define REPLACED(name) \
    const void *__real_##name(const void *type, const void *protocol, void *context) __attribute__((weak)); \
    const void *__wrap_##name(const void *type, const void *protocol, void *context); \
    const void *__wrap_##name(const void *type, const void *protocol, void *context) { \
        return witness_table(type, protocol, context, __real_##name); \
    }

const void *swift_getWitnessTable(const void *record, const void *type, const void *const *arguments);

static const void *witness_table(
    const void *type, const void *protocol, void *context,
    const void *(*search)(const void *type, const void *protocol, void *context)) {
    const void *record = NULL;
    switch (lazy_conformance_find(type, protocol, &record)) {
    case LAZY_CONFORMANCE_ABSENT: return NULL;
    case LAZY_CONFORMANCE_PRESENT: return swift_getWitnessTable(record, type, NULL);
    case LAZY_CONFORMANCE_UNKNOWN: break;
    }
    return search(type, protocol, context);
}

REPLACED(swift_conformsToProtocolWithExecutionContext)
// These have two parameters; a third register more does no harm.
REPLACED(swift_conformsToProtocol)
REPLACED(swift_conformsToProtocolCommon)
