// What the program may do to the machine: it ends with its parent, writes files only below its working directory, has no
// network, starts no other programs, and has limits. Each where the system can do it.

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/personality.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

static void forbid_calls(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void forbid_writing_elsewhere(void) {
#ifdef LANDLOCK_ACCESS_FS_WRITE_FILE
  struct landlock_ruleset_attr rules = {0};
  rules.handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                            LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SYM;
  int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (set < 0) return;
  const char *const allowed[] = {".", "/dev/null"};
  for (int i = 0; i < 2; i++) {
    struct landlock_path_beneath_attr here = {.allowed_access = i ? LANDLOCK_ACCESS_FS_WRITE_FILE : rules.handled_access_fs};
    here.parent_fd = open(allowed[i], O_PATH | O_CLOEXEC);
    if (here.parent_fd >= 0) syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &here, 0), close(here.parent_fd);
  }
  syscall(SYS_landlock_restrict_self, set, 0);
  close(set);
#endif
}

static void limit(int what, rlim_t most) {
  struct rlimit both = {most, most};
  setrlimit(what, &both);
}

// Addresses are the same in every process, so that a run can be repeated in another one.
static void fix_addresses(char **arguments) {
  int before = personality(0xffffffff);
  if (before < 0 || before & ADDR_NO_RANDOMIZE || personality((unsigned long)before | ADDR_NO_RANDOMIZE) < 0) return;
  execv("/proc/self/exe", arguments);
}

static void enter_sandbox(double seconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 64 << 20);
  limit(RLIMIT_AS, ((rlim_t)24 << 30) + (has_shadow() ? MOST_MEMORY / 8 : 0));
  limit(RLIMIT_CPU, (rlim_t)seconds + 5);
  forbid_writing_elsewhere();
  forbid_calls();
}
