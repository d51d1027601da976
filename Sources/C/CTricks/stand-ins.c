#define _GNU_SOURCE
#include "StandIns.h"
#include "Tricks.h"
#include "lists.h"

#include "CLibrary.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_libraries = 8, most_stand_ins = 96 };

// The library that has the functions. All stand-ins need it, so the loader searches it after the direct
// dependencies of a library, among which are those that have what is kept.
static const char functions_name[] = "lazyimg-stand-ins.so";

static struct {
    void *handles[most_stand_ins];
    int handle_count;
    char paths[most_libraries][512];
    int path_count;
} opened;

// What functions without a library do: FFmpeg asks encoders what they can when it makes its list of codecs, and takes zero
// for no answer.
static long answer_zero(void) { return 0; }

static const char *answer_text(void) { return ""; }

// MARK: - Reading a library

struct image {
    const uint8_t *bytes;
    size_t size;
    const ElfW(Sym) *symbols;
    size_t undefined_count;
    const char *strings;
    size_t strings_size;
    const ElfW(Dyn) *dynamic;
    size_t dynamic_count;
};

static const void *range(const struct image *image, uint64_t offset, uint64_t size) {
    if (offset > image->size || size > image->size - offset) return NULL;
    return image->bytes + offset;
}

// Where a virtual address is in the file, and how much of its segment follows.
static const void *at_address(const struct image *image, uint64_t address, uint64_t *left) {
    const ElfW(Ehdr) *header = (const void *)image->bytes;
    const ElfW(Phdr) *segment = (const void *)(image->bytes + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++) {
        if (segment[i].p_type != PT_LOAD || address < segment[i].p_vaddr) continue;
        uint64_t inside = address - segment[i].p_vaddr;
        if (inside >= segment[i].p_filesz) continue;
        *left = segment[i].p_filesz - inside;
        return range(image, segment[i].p_offset + inside, *left);
    }
    return NULL;
}

static const char *string(const struct image *image, uint64_t offset) {
    if (offset >= image->strings_size) return NULL;
    const char *text = image->strings + offset;
    return memchr(text, 0, image->strings_size - offset) ? text : NULL;
}

static int read_dynamic(struct image *image) {
    uint64_t symbols = 0, strings = 0, hash = 0, left = 0;
    for (size_t i = 0; i < image->dynamic_count; i++) {
        const ElfW(Dyn) *entry = &image->dynamic[i];
        if (entry->d_tag == DT_SYMTAB) symbols = entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRSZ) image->strings_size = entry->d_un.d_val;
        if (entry->d_tag == DT_GNU_HASH) hash = entry->d_un.d_ptr;
    }
    image->strings = at_address(image, strings, &left);
    if (!image->strings || left < image->strings_size) return -1;
    const uint32_t *table = at_address(image, hash, &left);
    if (!table || left < 4 * sizeof *table) return -1;
    // The table of definitions begins behind the symbols that a library only uses.
    image->undefined_count = table[1];
    image->symbols = at_address(image, symbols, &left);
    return image->symbols && left / sizeof *image->symbols >= image->undefined_count ? 0 : -1;
}

static int read_image(struct image *image) {
    const ElfW(Ehdr) *header = range(image, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_type != ET_DYN) return -1;
    if (header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)) return -1;
    if (header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phoff % sizeof(void *)) return -1;
    const ElfW(Phdr) *segment = range(image, header->e_phoff, header->e_phnum * sizeof *segment);
    for (int i = 0; segment && i < header->e_phnum; i++) {
        if (segment[i].p_type != PT_DYNAMIC) continue;
        image->dynamic = range(image, segment[i].p_offset, segment[i].p_filesz);
        image->dynamic_count = segment[i].p_filesz / sizeof *image->dynamic;
        return image->dynamic ? read_dynamic(image) : -1;
    }
    return -1;
}

// The folders of Debian's loader, the first first.
static int open_file(const char *name) {
    struct link_map *map = NULL;
    void *own = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!own || dlinfo(own, RTLD_DI_LINKMAP, &map)) return -1;
    char folder[256];
    snprintf(folder, sizeof folder, "%s", map->l_name);
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
    dlclose(own);
    const char *folders[][2] = {{"/usr/local/lib", ""}, {folder, ""}, {"/usr", folder}};
    char *path = opened.paths[opened.path_count];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof opened.paths[0], "%s%s/%s", folders[i][0], folders[i][1], name);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file >= 0) return file;
    }
    return -1;
}

static int map_library(const char *name, struct image *image) {
    int file = open_file(name);
    if (file < 0) return -1;
    opened.path_count++;
    struct stat status;
    image->size = fstat(file, &status) == 0 && status.st_size > 0 ? (size_t)status.st_size : 0;
    void *bytes = image->size ? mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED) return -1;
    image->bytes = bytes;
    return read_image(image);
}

// MARK: - Writing a stand-in

struct buffer {
    uint8_t *bytes;
    size_t size, room;
    int failed;
};

// Appends bytes, or zeros where there are none; returns where they begin.
static size_t append(struct buffer *buffer, const void *bytes, size_t size) {
    if (buffer->size + size > buffer->room) {
        size_t room = (buffer->size + size) * 2;
        uint8_t *larger = realloc(buffer->bytes, room);
        if (!larger) {
            buffer->failed = 1;
            return 0;
        }
        buffer->bytes = larger;
        buffer->room = room;
    }
    size_t start = buffer->size;
    if (bytes)
        memcpy(buffer->bytes + start, bytes, size);
    else
        memset(buffer->bytes + start, 0, size);
    buffer->size += size;
    return start;
}

static uint32_t hash_of(const char *name) {
    uint32_t hash = 0;
    for (; *name; name++) {
        hash = (hash << 4) + (uint8_t)*name;
        uint32_t high = hash & 0xF0000000;
        hash = (hash ^ high >> 24) & ~high;
    }
    return hash;
}

// The symbols and names of the library that has the functions.
struct functions {
    struct buffer symbols, names;
};

// The first symbol and the first name of a table are empty.
static struct functions no_functions(void) {
    struct functions functions = {0};
    append(&functions.symbols, NULL, sizeof(ElfW(Sym)));
    append(&functions.names, NULL, 1);
    return functions;
}

static void free_functions(struct functions *functions) {
    free(functions->symbols.bytes);
    free(functions->names.bytes);
}

static void add_functions(struct functions *functions, const struct image *image, const char *const *texts) {
    for (size_t i = 1; i < image->undefined_count; i++) {
        const ElfW(Sym) *wanted = &image->symbols[i];
        const char *name = string(image, wanted->st_name);
        if (wanted->st_shndx != SHN_UNDEF || ELF64_ST_BIND(wanted->st_info) != STB_GLOBAL || !name) continue;
        ElfW(Sym) symbol = {
            .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = SHN_ABS,
            .st_value = is_listed(name, texts) ? (uintptr_t)answer_text : (uintptr_t)answer_zero};
        symbol.st_name = (uint32_t)append(&functions->names, name, strlen(name) + 1);
        append(&functions->symbols, &symbol, sizeof symbol);
    }
}

static void append_hash(struct buffer *file, const struct functions *functions) {
    const ElfW(Sym) *symbols = (const void *)functions->symbols.bytes;
    uint32_t count = (uint32_t)(functions->symbols.size / sizeof *symbols);
    // Without a bucket the loader passes the library over.
    uint32_t buckets = count / 2, header[2] = {buckets, count};
    append(file, header, sizeof header);
    size_t start = append(file, NULL, (buckets + (size_t)count) * sizeof(uint32_t));
    if (file->failed) return;
    uint32_t *bucket = (uint32_t *)(file->bytes + start), *chain = bucket + buckets;
    for (uint32_t i = 1; buckets && i < count; i++) {
        uint32_t place = hash_of((const char *)functions->names.bytes + symbols[i].st_name) % buckets;
        chain[i] = bucket[place];
        bucket[place] = i;
    }
}

// A shared library of one writable segment: the loader changes addresses in it.
static struct buffer make_file(
    const ElfW(Ehdr) *like, const struct functions *functions, size_t name, size_t needed) {
    enum { segments = 3, entries = 8 };
    struct buffer file = {0};
    ElfW(Ehdr) header = {
        .e_type = ET_DYN, .e_machine = like->e_machine, .e_version = EV_CURRENT, .e_flags = like->e_flags,
        .e_phoff = sizeof header, .e_ehsize = sizeof header, .e_phentsize = sizeof(ElfW(Phdr)),
        .e_phnum = segments, .e_shentsize = sizeof(ElfW(Shdr))};
    memcpy(header.e_ident, like->e_ident, sizeof header.e_ident);
    append(&file, &header, sizeof header);
    size_t segment_start = append(&file, NULL, segments * sizeof(ElfW(Phdr)));
    size_t dynamic_start = append(&file, NULL, entries * sizeof(ElfW(Dyn)));
    size_t symbols = append(&file, functions->symbols.bytes, functions->symbols.size);
    size_t hash = file.size;
    append_hash(&file, functions);
    size_t strings = append(&file, functions->names.bytes, functions->names.size);
    if (file.failed) return file;
    ElfW(Phdr) segment[segments] = {
        {.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_filesz = file.size, .p_memsz = file.size, .p_align = 4096},
        {.p_type = PT_DYNAMIC, .p_flags = PF_R | PF_W, .p_offset = dynamic_start, .p_vaddr = dynamic_start,
            .p_filesz = entries * sizeof(ElfW(Dyn)), .p_memsz = entries * sizeof(ElfW(Dyn)), .p_align = 8},
        // Without it the loader would make all stacks executable.
        {.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W, .p_align = 16}};
    // The page size may be larger than 4096.
    segment[0].p_align = (ElfW(Xword))sysconf(_SC_PAGESIZE);
    ElfW(Dyn) dynamic[entries] = {
        {.d_tag = DT_SONAME, .d_un.d_val = name}, {.d_tag = DT_HASH, .d_un.d_ptr = hash},
        {.d_tag = DT_SYMTAB, .d_un.d_ptr = symbols}, {.d_tag = DT_SYMENT, .d_un.d_val = sizeof(ElfW(Sym))},
        {.d_tag = DT_STRTAB, .d_un.d_ptr = strings}, {.d_tag = DT_STRSZ, .d_un.d_val = functions->names.size},
        {.d_tag = needed ? DT_NEEDED : DT_NULL, .d_un.d_val = needed}};
    memcpy(file.bytes + segment_start, segment, sizeof segment);
    memcpy(file.bytes + dynamic_start, dynamic, sizeof dynamic);
    return file;
}

// MARK: - Opening

// The files stay open until all are loaded: the loader knows libraries by their paths, which must differ.
static int open_stand_in(
    const struct image *like, struct functions *functions, const char *name, int *files, int *count) {
    if (*count == most_stand_ins) return -1;
    size_t soname = append(&functions->names, name, strlen(name) + 1);
    size_t needed = 0;
    if (name != functions_name) needed = append(&functions->names, functions_name, sizeof functions_name);
    struct buffer file = {.failed = functions->names.failed || functions->symbols.failed};
    if (!file.failed) file = make_file((const void *)like->bytes, functions, soname, needed);
    int number = file.failed ? -1 : memfd_create(name, MFD_CLOEXEC);
    if (number >= 0) files[(*count)++] = number;
    int is_written = number >= 0 && write(number, file.bytes, file.size) == (ssize_t)file.size;
    free(file.bytes);
    if (!is_written) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", number);
    void *library = clibrary_dlopen(path);
    if (library) opened.handles[opened.handle_count++] = library;
    return library ? 0 : -1;
}

int tricks_is_kept(const char *name, const char *const *kept) {
    for (; *kept; kept++)
        if (strncasecmp(name, *kept, strlen(*kept)) == 0) return 1;
    return 0;
}

static int is_loaded(const char *name) {
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (library) dlclose(library);
    return library != NULL;
}

// Opens stand-ins for the dependencies of one library; `*count` files are open.
static int stand_in_for(
    const struct image *image, const char *const *libraries, const char *const *kept, int *files, int *count) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < image->dynamic_count; i++) {
        if (image->dynamic[i].d_tag != DT_NEEDED) continue;
        const char *name = string(image, image->dynamic[i].d_un.d_val);
        if (!name) return -1;
        if (tricks_is_kept(name, kept) || tricks_is_kept(name, libraries) || is_loaded(name)) continue;
        struct functions none = no_functions();
        result = open_stand_in(image, &none, name, files, count);
        free_functions(&none);
    }
    return result;
}

static int stand_in_for_all(
    struct image *images, const char *const *libraries, const char *const *kept, const char *const *texts, int *files,
    int *count) {
    struct functions functions = no_functions();
    for (int i = 0; libraries[i]; i++) add_functions(&functions, &images[i], texts);
    int result = open_stand_in(images, &functions, functions_name, files, count);
    free_functions(&functions);
    for (int i = 0; result == 0 && libraries[i]; i++)
        result = stand_in_for(&images[i], libraries, kept, files, count);
    return result;
}

static int are_tested(const char *const *libraries) {
    struct tricks_machine machine = tricks_this_machine();
    for (; *libraries; libraries++)
        if (strncmp(*libraries, "libavcodec.so", strlen("libavcodec.so")) == 0) machine.codecs = *libraries;
    return tricks_applies(tricks_stand_ins, machine);
}

int tricks_stand_in(const char *const *libraries, const char *const *kept, const char *const *texts) {
    if (!are_tested(libraries) || getenv("LD_LIBRARY_PATH")) return -1;
    struct image images[most_libraries] = {0};
    int files[most_stand_ins], count = 0, result = 0;
    for (int i = 0; result == 0 && libraries[i]; i++)
        result = i < most_libraries ? map_library(libraries[i], &images[i]) : -1;
    if (result == 0) result = stand_in_for_all(images, libraries, kept, texts, files, &count);
    for (int i = 0; i < count; i++) close(files[i]);
    for (int i = 0; i < most_libraries; i++)
        if (images[i].bytes) munmap((void *)images[i].bytes, images[i].size);
    if (result) tricks_remove_stand_ins();
    return result;
}

const char *tricks_path(const char *name) {
    for (int i = 0; i < opened.path_count; i++)
        if (strcmp(strrchr(opened.paths[i], '/') + 1, name) == 0) return opened.paths[i];
    return name;
}

void tricks_remove_stand_ins(void) {
    while (opened.handle_count > 0) dlclose(opened.handles[--opened.handle_count]);
    opened.path_count = 0;
}
