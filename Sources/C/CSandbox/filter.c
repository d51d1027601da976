#define _GNU_SOURCE
#include "filter.h"

#include <asm/unistd.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

// Calls that decoding needs and that reach nothing outside, whatever their arguments are.
static const int allowed[] = {
    __NR_futex, __NR_read, __NR_pread64, __NR_recvmsg, __NR_sendmsg, __NR_munmap, __NR_madvise, __NR_brk, __NR_ppoll,
    __NR_mremap, __NR_lseek, __NR_close, __NR_fstat, __NR_write, __NR_readv, __NR_writev, __NR_recvfrom, __NR_sendto,
    __NR_shutdown, __NR_set_robust_list, __NR_rseq, __NR_gettid, __NR_getpid, __NR_getppid, __NR_sched_yield,
    __NR_sched_getaffinity, __NR_sysinfo, __NR_getrandom, __NR_membarrier, __NR_clock_gettime, __NR_clock_getres,
    __NR_gettimeofday, __NR_clock_nanosleep, __NR_nanosleep, __NR_restart_syscall, __NR_rt_sigaction,
    __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sigaltstack, __NR_exit, __NR_exit_group, __NR_uname, __NR_getrusage,
    __NR_times, __NR_dup, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid,
#ifdef __NR_poll
    __NR_poll,
#endif
#ifdef __NR_time
    __NR_time,
#endif
};

// Calls that libraries make by habit and go on when they are refused.
static const struct {
    int number;
    int error;
} refused[] = {
    // glibc makes threads by clone then, whose flags can be checked.
    {__NR_clone3, ENOSYS},
    {__NR_openat, EACCES},
    {__NR_newfstatat, EACCES},
    {__NR_ioctl, ENOTTY},
    {__NR_get_mempolicy, ENOSYS},
    {__NR_set_mempolicy, ENOSYS},
    {__NR_mbind, ENOSYS},
};

// Calls that no decoder makes: a process that tries one is hostile.
static const int deadly[] = {
    __NR_execve, __NR_execveat, __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept,
    __NR_accept4, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kill, __NR_tkill,
    __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_pidfd_open, __NR_pidfd_getfd, __NR_pidfd_send_signal,
    __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_open_tree, __NR_move_mount,
    __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick, __NR_open_by_handle_at, __NR_name_to_handle_at,
    __NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register, __NR_userfaultfd, __NR_memfd_create, __NR_bpf,
    __NR_perf_event_open, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_init_module, __NR_finit_module,
    __NR_delete_module, __NR_kexec_load, __NR_reboot, __NR_swapon, __NR_swapoff, __NR_setuid, __NR_setgid,
    __NR_setresuid, __NR_setresgid, __NR_setreuid, __NR_setregid, __NR_setgroups, __NR_setfsuid, __NR_setfsgid,
    __NR_capset, __NR_personality, __NR_shmget, __NR_shmat, __NR_msgget, __NR_semget, __NR_mq_open,
    __NR_inotify_init1, __NR_fanotify_init, __NR_acct, __NR_quotactl, __NR_unlinkat, __NR_renameat2, __NR_linkat,
    __NR_symlinkat, __NR_mkdirat, __NR_mknodat, __NR_truncate, __NR_fchmodat, __NR_fchownat, __NR_pkey_mprotect,
#ifdef __NR_fork
    __NR_fork, __NR_vfork, __NR_open, __NR_creat, __NR_unlink, __NR_rename, __NR_link, __NR_symlink, __NR_mkdir,
    __NR_rmdir, __NR_chmod, __NR_chown, __NR_modify_ldt, __NR_ioperm, __NR_iopl,
#endif
};

// pthread_create of glibc and musl.
static const uint32_t thread_flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
    CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

// Numbers above it did not exist when this was written; an error of another kind would keep newer libraries from
// falling back.
static const uint32_t newest_known = 470;

enum { capacity = 700, most_answers = 500 };

struct program {
    struct sock_filter code[capacity];
    unsigned short count;
    // Where the process's own number belongs.
    unsigned short own_process;
    // Set where a part did not fit: such a program is not used.
    int is_cut;
};

static void emit(struct program *program, uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
    if (program->count < capacity)
        program->code[program->count++] = (struct sock_filter){code, yes, no, value};
    else
        program->is_cut = 1;
}

static void load(struct program *program, size_t offset) {
    emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct program *program, uint32_t action) { emit(program, BPF_RET | BPF_K, action, 0, 0); }

static void is(struct program *program, uint32_t value, uint8_t yes, uint8_t no) {
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

static size_t argument(int number) { return offsetof(struct seccomp_data, args) + (size_t)number * 8; }

static const uint32_t allow = SECCOMP_RET_ALLOW, deadly_action = SECCOMP_RET_KILL_PROCESS;

static uint32_t error(int number) { return SECCOMP_RET_ERRNO | (uint32_t)number; }

// MARK: - Calls whose arguments count

// Without the right to execute.
static void memory_rule(struct program *program) {
    load(program, argument(2));
    emit(program, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1);
    answer(program, deadly_action);
    answer(program, allow);
}

// An argument that has one value, with the answer to others.
static void value_rule(struct program *program, int index, uint32_t value, uint32_t otherwise) {
    load(program, argument(index));
    is(program, value, 0, 1);
    answer(program, allow);
    answer(program, otherwise);
}

static void clone_rule(struct program *program) { value_rule(program, 0, thread_flags, deadly_action); }

// abort() reaches the process itself only.
static void signal_rule(struct program *program) {
    program->own_process = (unsigned short)(program->count + 1);
    value_rule(program, 0, 0, deadly_action);
}

// Limits can only be lowered by then.
static void limit_rule(struct program *program) { value_rule(program, 0, 0, error(EPERM)); }

static void name_rule(struct program *program) {
    load(program, argument(0));
    is(program, PR_SET_NAME, 1, 0);
    is(program, PR_SET_VMA, 0, 1);
    answer(program, allow);
    answer(program, error(EPERM));
}

static const struct {
    int number;
    void (*rule)(struct program *);
} checked[] = {
    {__NR_mmap, memory_rule},   {__NR_mprotect, memory_rule}, {__NR_clone, clone_rule},
    {__NR_tgkill, signal_rule}, {__NR_prlimit64, limit_rule}, {__NR_prctl, name_rule},
};

// MARK: - The answer to each number

// The answer to the calls from a number on, up to the next answer.
struct answer {
    uint32_t first;
    int is_set;
    uint32_t action;
    void (*rule)(struct program *);
};

// Sets the answer to a call, unless an earlier list has it. 0 where the number was not foreseen.
static int set(struct answer *answers, int number, uint32_t action, void (*rule)(struct program *)) {
    if (number < 0 || (uint32_t)number > newest_known) return 0;
    struct answer *place = &answers[number];
    if (!place->is_set) *place = (struct answer){(uint32_t)number, 1, action, rule};
    return 1;
}

// The answers in the order of numbers, one for each run of equal ones; their count, or 0.
static int list_answers(struct answer *answers) {
    int fits = newest_known + 2 <= most_answers;
    if (!fits) return 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) fits &= set(answers, allowed[i], allow, NULL);
    for (size_t i = 0; i < sizeof checked / sizeof *checked; i++)
        fits &= set(answers, checked[i].number, 0, checked[i].rule);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        fits &= set(answers, refused[i].number, error(refused[i].error), NULL);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) fits &= set(answers, deadly[i], deadly_action, NULL);
    int count = 0;
    for (uint32_t number = 0; number <= newest_known + 1; number++) {
        struct answer next = answers[number];
        if (!next.is_set)
            next = (struct answer){.first = number, .action = error(number > newest_known ? ENOSYS : EPERM)};
        const struct answer *last = count ? &answers[count - 1] : NULL;
        if (last && !last->rule && !next.rule && last->action == next.action) continue;
        answers[count++] = next;
    }
    return fits ? count : 0;
}

// Finds the answer by halves. The kernel runs a new filter for each number there is, to learn which calls need no filter at
// all: with one comparison after the other that took most of the time of entering the sandbox.
static void search(struct program *program, const struct answer *answers, int count) {
    if (count > 1) {
        int half = count / 2;
        unsigned short branch = program->count;
        emit(program, BPF_JMP | BPF_JGE | BPF_K, answers[half].first, 0, 0);
        search(program, answers, half);
        int distance = program->count - branch - 1;
        if (distance > UINT8_MAX) program->is_cut = 1;
        if (!program->is_cut) program->code[branch].jt = (uint8_t)distance;
        return search(program, answers + half, count - half);
    }
    if (answers->rule)
        answers->rule(program);
    else
        answer(program, answers->action);
}

static void build(struct program *program) {
    struct answer answers[most_answers] = {{0}};
    load(program, offsetof(struct seccomp_data, arch));
#ifdef ARCHITECTURE
    is(program, ARCHITECTURE, 1, 0);
#endif
    answer(program, deadly_action);
    load(program, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    // The numbers of x32.
    emit(program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    answer(program, deadly_action);
#endif
    int count = list_answers(answers);
    if (count)
        search(program, answers, count);
    else
        program->is_cut = 1;
}

int sandbox_install_filter(void) {
#ifndef ARCHITECTURE
    return ENOSYS;
#else
    static struct program program;
    if (!program.count) build(&program);
    if (program.is_cut) return E2BIG;
    program.code[program.own_process].k = (uint32_t)getpid();
    struct sock_fprog filter = {program.count, program.code};
    if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0) return 0;
    // systemd 252 has the older call only in the sets that services allow.
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) ? errno : 0;
#endif
}
