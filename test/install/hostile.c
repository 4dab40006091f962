/// hostile.c [no-exec] [no-threads] [read-only] [stack=KIB] -- COMMAND...: runs a command where the kernel refuses it
/// something (seccomp), as strict systems, full process tables and read-only disks do. Ends with 77 where there is no seccomp.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SKIPPED = 77, MOST = 128 };

static struct sock_filter filter[MOST];
static unsigned short length;

static void add(unsigned short code, unsigned char yes, unsigned char no, unsigned value)
{
    if (length == MOST) abort();
    filter[length++] = (struct sock_filter){ code, yes, no, value };
}

// a call of that number fails; with `bits`, only when its argument has one of them
static void refuse(long call, int argument, unsigned bits, int error)
{
    add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, bits ? 3 : 1, (unsigned)call);
    if (bits) {
        add(BPF_LD | BPF_W | BPF_ABS, 0, 0,
            (unsigned)(offsetof(struct seccomp_data, args) + 8 * (size_t)argument));
        add(BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    }
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (unsigned)error);
}

static void no_threads(void)
{
    refuse(SYS_clone, 0, CLONE_THREAD, EAGAIN);
    refuse(SYS_clone3, 0, 0, ENOSYS); // what it is asked for is in memory; C libraries then take clone
}

static void read_only(void)
{
    refuse(SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, EROFS);
    refuse(SYS_mkdirat, 0, 0, EROFS);
    refuse(SYS_unlinkat, 0, 0, EROFS);
    refuse(SYS_renameat2, 0, 0, EROFS);
#ifdef SYS_open // not on all machines
    refuse(SYS_open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, EROFS);
    refuse(SYS_mkdir, 0, 0, EROFS);
    refuse(SYS_unlink, 0, 0, EROFS);
    refuse(SYS_rename, 0, 0, EROFS);
#endif
}

static void small_stack(const char *kib)
{
    const rlim_t bytes = (rlim_t)strtoul(kib, NULL, 10) << 10;
    if (setrlimit(RLIMIT_STACK, &(struct rlimit){ bytes, bytes }) != 0) exit(SKIPPED);
}

static void obey(const char *word)
{
    if (strcmp(word, "no-exec") == 0)
        refuse(SYS_mprotect, 2, PROT_EXEC, EACCES);
    else if (strcmp(word, "no-threads") == 0)
        no_threads();
    else if (strcmp(word, "read-only") == 0)
        read_only();
    else if (strncmp(word, "stack=", 6) == 0)
        small_stack(word + 6);
    else
        abort();
}

int main(int argc, char **argv)
{
    int k = 1;
    for (; k < argc && strcmp(argv[k], "--") != 0; k++) obey(argv[k]);
    if (k + 1 >= argc) return 2;
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = { length, filter };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return SKIPPED;
    execvp(argv[k + 1], argv + k + 1);
    perror(argv[k + 1]);
    return 127;
}
