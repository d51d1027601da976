#define _GNU_SOURCE
#include "CSandbox.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

// Sanitizers map memory at fixed places, read /proc and reserve terabytes.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

enum { nobody = 65534 };

static int limit(int kind, uint64_t soft, uint64_t hard) {
    struct rlimit old, new = {soft, hard};
    if (getrlimit(kind, &old)) return errno;
    if (new.rlim_max > old.rlim_max) new.rlim_max = old.rlim_max;
    if (new.rlim_cur > new.rlim_max) new.rlim_cur = new.rlim_max;
    return setrlimit(kind, &new) ? errno : 0;
}

static int raise_limits(const struct sandbox_limits *limits) {
    int error = limit(RLIMIT_CORE, 0, 0);
    if (!error) error = limit(RLIMIT_FSIZE, 0, 0);
    if (!error) error = limit(RLIMIT_NOFILE, limits->descriptors, limits->descriptors);
#ifndef HAS_SANITIZER
    if (!error && limits->memory) error = limit(RLIMIT_DATA, limits->memory, limits->memory);
#endif
    // The soft limit ends the process by SIGXCPU, which can be told from a kill for lack of memory.
    if (!error && limits->seconds) error = limit(RLIMIT_CPU, limits->seconds, limits->seconds + 1);
    return error;
}

// The rights of each version that a rule set can deny (Landlock's documentation, "Compatibility").
static int raise_landlock(int32_t *abi) {
    *abi = (int32_t)syscall(SYS_landlock_create_ruleset, NULL, 0, 1U);
    if (*abi < 1) return errno;
    struct {
        uint64_t files, network, scopes;
    } handled = {.files = *abi >= 5 ? 0xFFFF : *abi >= 3 ? 0x7FFF : *abi >= 2 ? 0x3FFF : 0x1FFF};
    size_t size = sizeof(uint64_t);
    if (*abi >= 4) {
        handled.network = 3;
        size = 2 * sizeof(uint64_t);
    }
    if (*abi >= 6) {
        handled.scopes = 3;
        size = 3 * sizeof(uint64_t);
    }
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0U);
    if (rules < 0) return errno;
    int error = syscall(SYS_landlock_restrict_self, rules, 0U) ? errno : 0;
    close(rules);
    return error;
}

void sandbox_raise(struct sandbox_report *report, const struct sandbox_limits *limits) {
    prctl(PR_SET_DUMPABLE, 0);
    report->process = getpid();
    report->user = geteuid();
    report->errors[sandbox_no_new_privileges] = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0;
    report->errors[sandbox_limits] = raise_limits(limits);
    report->errors[sandbox_landlock] = raise_landlock(&report->landlock_abi);
    report->errors[sandbox_memory_execution] = prctl(PR_SET_MDWE, 1, 0, 0, 0) ? errno : 0;
#ifdef HAS_SANITIZER
    report->errors[sandbox_seccomp] = -1;
#else
    report->errors[sandbox_seccomp] = sandbox_install_filter();
#endif
}

// MARK: - Once, around all decoders

// What programs could be given again. It takes a capability itself, so it comes before all others; without that
// one nothing is lost, as long as programs give nothing.
static int drop_bounding_set(int gives_nothing) {
    for (int capability = 0; capability <= 63; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
        // The last one that this kernel has was the one before.
        if (errno == EINVAL) break;
        if (errno != EPERM || !gives_nothing) return errno;
    }
    return 0;
}

static int drop_capabilities(void) {
    // Linux 4.2 has no ambient ones.
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL) return errno;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    return syscall(SYS_capset, &header, none) ? errno : 0;
}

static int drop_rights(int gives_nothing) {
    int bounding = drop_bounding_set(gives_nothing);
    if (geteuid() == 0 && (setgroups(0, NULL) || setresgid(nobody, nobody, nobody) || setresuid(nobody, nobody, nobody))) {
        int error = errno;
        // In a user namespace without such a user, root has no other name; the capabilities go all the same.
        int capabilities = drop_capabilities();
        return capabilities ? capabilities : error;
    }
    int capabilities = drop_capabilities();
    return capabilities ? capabilities : bounding;
}

static int enter_namespaces(void) {
    const int own = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (geteuid() == 0 && unshare(own) == 0) return 0;
    return unshare(CLONE_NEWUSER | own) ? errno : 0;
}

// The process with its own process IDs is the first fork; this one waits for it, and takes it along when it is killed.
static void become_first_process(void) {
    pid_t launcher = getpid(), first = fork();
    if (first == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        // The parent is outside of the namespace: 0, and 1 once it has ended.
        if (getppid() != 0 && getppid() != launcher) _exit(1);
        return;
    }
    if (first < 0) _exit(1);
    close(3);
    int status = 0;
    while (waitpid(first, &status, 0) < 0 && errno == EINTR) {}
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

void sandbox_enter(struct sandbox_report *report) {
    memset(report, 0, sizeof *report);
    report->magic = sandbox_magic;
    report->version = sandbox_version;
    for (int layer = 0; layer < sandbox_layer_count; layer++) report->errors[layer] = -1;
    if (syscall(SYS_close_range, 4U, ~0U, 0U))
        for (int descriptor = 4; descriptor < 1024; descriptor++) close(descriptor);
    prctl(PR_SET_NAME, "lazyimg-decoder");
    report->errors[sandbox_no_new_privileges] = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0;
    report->errors[sandbox_namespaces] = enter_namespaces();
    report->errors[sandbox_unprivileged] = drop_rights(report->errors[sandbox_no_new_privileges] == 0);
    prctl(PR_SET_DUMPABLE, 0);
    if (report->errors[sandbox_namespaces] == 0) become_first_process();
}
