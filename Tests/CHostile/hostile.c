#define _GNU_SOURCE
#include "CHostile.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? errno : 0; }

static int internet(int kind, const char *port) {
    struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int end = socket(AF_INET, kind, 0);
    if (end < 0) return errno;
    return result(connect(end, (struct sockaddr *)&place, sizeof place));
}

static int abstract(const char *name) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    strncpy(place.sun_path + 1, name, sizeof place.sun_path - 2);
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (end < 0) return errno;
    return result(connect(end, (struct sockaddr *)&place, sizeof place));
}

static int change_code(void) {
    uintptr_t page = (uintptr_t)&change_code & ~(uintptr_t)4095;
    return result(mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
}

int hostile_attempt(const char *name, const char *argument) {
    static char *words[] = {"/bin/true", NULL};
    struct stat status;
    char bytes[16];
    struct iovec part = {bytes, sizeof bytes};
#define TRY(word, call) if (!strcmp(name, word)) return result(call)
    TRY("open", open(argument, O_RDONLY));
    TRY("open-old", syscall(SYS_openat, AT_FDCWD, argument, O_RDONLY));
    TRY("create", open(argument, O_WRONLY | O_CREAT, 0600));
    TRY("stat", stat(argument, &status));
    TRY("stat-empty-path", syscall(SYS_newfstatat, AT_FDCWD, argument, &status, AT_EMPTY_PATH));
    TRY("statx", syscall(SYS_statx, AT_FDCWD, argument, 0, 0x7FF, bytes));
    TRY("access", access(argument, F_OK));
    TRY("readlink", readlink(argument, bytes, sizeof bytes));
    TRY("unlink", unlink(argument));
    TRY("reopen", open("/proc/self/fd/3", O_RDWR));
    TRY("maps", open("/proc/self/maps", O_RDONLY));
    if (!strcmp(name, "tcp")) return internet(SOCK_STREAM, argument);
    if (!strcmp(name, "udp")) return internet(SOCK_DGRAM, argument);
    if (!strcmp(name, "abstract")) return abstract(argument);
    TRY("exec", execv(words[0], words));
    TRY("fork", fork());
    TRY("vfork", syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0));
    TRY("clone3", syscall(SYS_clone3, NULL, 0));
    TRY("kill", kill(getppid(), SIGKILL));
    TRY("tgkill", syscall(SYS_tgkill, getppid(), getppid(), SIGKILL));
    TRY("ptrace", ptrace(PTRACE_ATTACH, getppid(), 0, 0));
    TRY("read-memory", process_vm_readv(getppid(), &part, 1, &part, 1, 0));
    TRY("execute", mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
    if (!strcmp(name, "change-code")) return change_code();
    TRY("namespace", unshare(CLONE_NEWUSER));
    TRY("limits", prlimit(getppid(), RLIMIT_CORE, NULL, (struct rlimit *)bytes));
    TRY("memory-file", memfd_create("x", 0));
    TRY("ring", syscall(SYS_io_uring_setup, 1, bytes));
    TRY("ioctl", syscall(SYS_ioctl, 3, 0x5413, bytes));
    TRY("grow", ftruncate(5, 1 << 20));
    TRY("dumpable", prctl(PR_SET_DUMPABLE, 1));
#if defined(__x86_64__)
    // The numbers of 32-bit programs, and those of x32.
    if (!strcmp(name, "int80")) {
        long value;
        __asm__ volatile("int $0x80" : "=a"(value) : "a"(5), "b"(0), "c"(0), "d"(0) : "memory");
        if (value < 0) errno = (int)-value;
        return result(value < 0 ? -1 : 0);
    }
    TRY("x32", syscall(0x40000000 | SYS_getpid));
#endif
#undef TRY
    return -1;
}

// MARK: - Systems that refuse

// Answers EPERM to a system call, or to those of it with a first argument.
static void refuse(unsigned number, const unsigned *argument) {
    struct sock_filter code[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, number},
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args)},
        {BPF_JMP | (argument ? BPF_JEQ : BPF_JGE) | BPF_K, 0, 1, argument ? *argument : 0},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) _exit(1);
}

void hostile_restrict(const char *program) {
    const char *path = (const char *)getauxval(AT_EXECFN);
    const char *name = path ? strrchr(path, '/') : NULL;
    if (!name || strncmp(name, "/restricted-", 12)) return;
    name += 12;
    const unsigned filters = PR_SET_SECCOMP;
    // As Docker's default profile, systemd 252, and a system without seccomp do.
    if (!strcmp(name, "namespaces")) refuse(SYS_unshare, NULL);
    if (!strcmp(name, "landlock")) refuse(SYS_landlock_create_ruleset, NULL);
    if (!strcmp(name, "seccomp") || !strcmp(name, "filters")) refuse(SYS_seccomp, NULL);
    if (!strcmp(name, "filters")) refuse(SYS_prctl, &filters);
    char *words[] = {"lazyimg-decoder", NULL};
    execv(program, words);
    _exit(1);
}

// MARK: - Secrets

static struct {
    uintptr_t start, end;
} regions[4096];
static int region_count;

void hostile_note_memory(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps) return;
    char line[512], right;
    unsigned long start, end;
    while (fgets(line, sizeof line, maps) && region_count < 4096) {
        if (sscanf(line, "%lx-%lx %c", &start, &end, &right) != 3 || right != 'r' || strstr(line, "[v")) continue;
        regions[region_count].start = start;
        regions[region_count++].end = end;
    }
    fclose(maps);
}

static int holds(uintptr_t start, uintptr_t end, const char *text, size_t size) {
    return end > start && memmem((const void *)start, end - start, text, size) != NULL;
}

int hostile_finds(const char *changed) {
    size_t size = strlen(changed);
    char *text = malloc(size + 1);
    for (size_t i = 0; i <= size; i++) text[i] = changed[i] ? changed[i] - 1 : 0;
    int found = 0;
    char bytes[4096];
    for (int descriptor = 0; descriptor < 256; descriptor++) {
        if (descriptor == 3) continue;
        ssize_t got = pread(descriptor, bytes, sizeof bytes, 0);
        if (got > 0 && memmem(bytes, (size_t)got, text, size)) found |= 1;
    }
    for (char **entry = environ; *entry; entry++)
        if (strstr(*entry, text)) found |= 2;
    uintptr_t own = (uintptr_t)text;
    for (int i = 0; i < region_count; i++) {
        // The text is this function's own.
        uintptr_t end = own >= regions[i].start && own < regions[i].end ? own : regions[i].end;
        if (holds(regions[i].start, end, text, size)) found |= 4;
    }
    return found;
}

// MARK: - Messages

int hostile_send(const void *bytes, size_t count, int descriptors) {
    char room[CMSG_SPACE(sizeof(int) * 64)];
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    memset(room, 0, sizeof room);
    if (descriptors) {
        message.msg_control = room;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors);
        for (int i = 0; i < descriptors; i++) ((int *)CMSG_DATA(header))[i] = 3;
    }
    return result(sendmsg(3, &message, MSG_NOSIGNAL));
}

void hostile_eat(void) {
    for (;;) {
        char *more = malloc(1 << 20);
        if (!more) abort();
        memset(more, 1, 1 << 20);
    }
}
