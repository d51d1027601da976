// Checks the filter of system calls on the processor that this is compiled for: each call of its lists has a number, and
// gets the answer of its list. The filter is run here, since an emulator of a processor has none.
#include "../../Sources/C/CSandbox/filter.c"

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(uint32_t found, uint32_t wanted, const char *claim, int number) {
    if (found == wanted) return;
    printf("FAILED: %s (call %d): %#x instead of %#x\n", claim, number, found, wanted);
    failures++;
}

// The few instructions of BPF that the filter has.
static uint32_t run(const struct program *program, const struct seccomp_data *data) {
    uint32_t value = 0;
    for (const struct sock_filter *next = program->code; next < program->code + program->count; next++) {
        switch (next->code) {
        case BPF_LD | BPF_W | BPF_ABS: memcpy(&value, (const char *)data + next->k, sizeof value); break;
        case BPF_JMP | BPF_JEQ | BPF_K: next += value == next->k ? next->jt : next->jf; break;
        case BPF_JMP | BPF_JGE | BPF_K: next += value >= next->k ? next->jt : next->jf; break;
        case BPF_JMP | BPF_JSET | BPF_K: next += value & next->k ? next->jt : next->jf; break;
        case BPF_RET | BPF_K: return next->k;
        default: return 0xFFFFFFFF;
        }
    }
    return 0xFFFFFFFF;
}

static struct program program;

static uint32_t answer_to(int number, int place, uint64_t argument) {
    struct seccomp_data data = {.nr = number, .arch = ARCHITECTURE};
    data.args[place] = argument;
    return run(&program, &data);
}

static int is_listed_before(int number, const int *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == number) return 1;
    return 0;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void lists(void) {
    for (size_t i = 0; i < COUNT(allowed); i++) {
        expect(answer_to(allowed[i], 0, 0), allow, "an allowed call", allowed[i]);
        expect((uint32_t)is_listed_before(allowed[i], deadly, COUNT(deadly)), 0, "a call in two lists", allowed[i]);
    }
    for (size_t i = 0; i < COUNT(refused); i++)
        expect(answer_to(refused[i].number, 0, 0), error(refused[i].error), "a refused call", refused[i].number);
    for (size_t i = 0; i < COUNT(deadly); i++) {
        expect(answer_to(deadly[i], 0, 0), deadly_action, "a deadly call", deadly[i]);
        expect((uint32_t)is_listed_before(deadly[i], deadly, i), 0, "a call that is listed twice", deadly[i]);
    }
}

static void arguments(void) {
    const uint64_t forked = 17;  // SIGCHLD
    expect(answer_to(__NR_mmap, 2, PROT_READ | PROT_WRITE), allow, "memory", __NR_mmap);
    expect(answer_to(__NR_mmap, 2, PROT_EXEC), deadly_action, "executable memory", __NR_mmap);
    expect(answer_to(__NR_mprotect, 2, PROT_READ | PROT_EXEC), deadly_action, "executable memory", __NR_mprotect);
    expect(answer_to(__NR_clone, 0, thread_flags), allow, "a thread", __NR_clone);
    expect(answer_to(__NR_clone, 0, forked), deadly_action, "a process", __NR_clone);
    expect(answer_to(__NR_tgkill, 0, (uint64_t)getpid()), allow, "a signal to itself", __NR_tgkill);
    expect(answer_to(__NR_tgkill, 0, 1), deadly_action, "a signal to another", __NR_tgkill);
    expect(answer_to(__NR_prctl, 0, PR_SET_NAME), allow, "a name", __NR_prctl);
    expect(answer_to(__NR_prctl, 0, PR_SET_SECCOMP), error(EPERM), "another control", __NR_prctl);
    expect(answer_to(__NR_prlimit64, 0, 0), allow, "its own limit", __NR_prlimit64);
    expect(answer_to(__NR_prlimit64, 0, 1), error(EPERM), "the limit of another", __NR_prlimit64);
}

static void others(void) {
    expect(answer_to((int)newest_known + 1, 0, 0), error(ENOSYS), "a call of the future", (int)newest_known + 1);
    expect(answer_to(__NR_sethostname, 0, 0), error(EPERM), "a call of no list", __NR_sethostname);
    struct seccomp_data foreign = {.nr = __NR_read, .arch = ~ARCHITECTURE};
    expect(run(&program, &foreign), deadly_action, "a call of another architecture", __NR_read);
}

int main(void) {
    build(&program);
    expect((uint32_t)program.is_cut, 0, "the program is whole", -1);
    program.code[program.own_process].k = (uint32_t)getpid();
    lists();
    arguments();
    others();
    printf("filter: %s\n", failures ? "wrong" : "right");
    return failures ? 1 : 0;
}
