// SPDX-License-Identifier: Apache-2.0

// Prints what the platform's headers say about everything that the binding writes down as a number:
//
//   struct <name> <size>
//   field <struct>.<name> <offset> <size>
//   constant <name> <value>
//
// LayoutsTest compiles it, runs it and compares; ArmLayoutsTest does so for another processor.

#define _GNU_SOURCE

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <uv.h>

#ifdef __linux__
#include <fcntl.h>
#include <linux/close_range.h>
#include <spawn.h>
#include <linux/fs.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#endif

#ifndef _WIN32
#include <unistd.h>
#include <sys/stat.h>
#include <dlfcn.h>
#include <termios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#endif

#define STRUCT(type, name) printf("struct %s %zu\n", name, sizeof(type))
#define FIELD(type, name, member) \
  printf("field %s.%s %zu %zu\n", name, #member, offsetof(type, member), sizeof(((type*) 0)->member))
#define CONSTANT(name) printf("constant %s %d\n", #name, (int) (name))

static void structs(void) {
  STRUCT(uv_buf_t, "uv_buf_t");
  FIELD(uv_buf_t, "uv_buf_t", base);
  FIELD(uv_buf_t, "uv_buf_t", len);

  STRUCT(uv_stat_t, "uv_stat_t");
  FIELD(uv_stat_t, "uv_stat_t", st_dev);
  FIELD(uv_stat_t, "uv_stat_t", st_mode);
  FIELD(uv_stat_t, "uv_stat_t", st_nlink);
  FIELD(uv_stat_t, "uv_stat_t", st_uid);
  FIELD(uv_stat_t, "uv_stat_t", st_gid);
  FIELD(uv_stat_t, "uv_stat_t", st_rdev);
  FIELD(uv_stat_t, "uv_stat_t", st_ino);
  FIELD(uv_stat_t, "uv_stat_t", st_size);
  FIELD(uv_stat_t, "uv_stat_t", st_blksize);
  FIELD(uv_stat_t, "uv_stat_t", st_blocks);
  FIELD(uv_stat_t, "uv_stat_t", st_flags);
  FIELD(uv_stat_t, "uv_stat_t", st_gen);
  FIELD(uv_stat_t, "uv_stat_t", st_atim);
  FIELD(uv_stat_t, "uv_stat_t", st_mtim);
  FIELD(uv_stat_t, "uv_stat_t", st_ctim);
  FIELD(uv_stat_t, "uv_stat_t", st_birthtim);

  STRUCT(uv_statfs_t, "uv_statfs_t");
  FIELD(uv_statfs_t, "uv_statfs_t", f_type);
  FIELD(uv_statfs_t, "uv_statfs_t", f_bsize);
  FIELD(uv_statfs_t, "uv_statfs_t", f_blocks);
  FIELD(uv_statfs_t, "uv_statfs_t", f_bfree);
  FIELD(uv_statfs_t, "uv_statfs_t", f_bavail);
  FIELD(uv_statfs_t, "uv_statfs_t", f_files);
  FIELD(uv_statfs_t, "uv_statfs_t", f_ffree);

  STRUCT(uv_dirent_t, "uv_dirent_t");
  FIELD(uv_dirent_t, "uv_dirent_t", name);
  FIELD(uv_dirent_t, "uv_dirent_t", type);

  STRUCT(uv_dir_t, "uv_dir_t");
  FIELD(uv_dir_t, "uv_dir_t", dirents);
  FIELD(uv_dir_t, "uv_dir_t", nentries);

  STRUCT(struct sockaddr_in, "sockaddr_in");
#ifdef __APPLE__
  FIELD(struct sockaddr_in, "sockaddr_in", sin_len);
#endif
  FIELD(struct sockaddr_in, "sockaddr_in", sin_family);
  FIELD(struct sockaddr_in, "sockaddr_in", sin_port);
  FIELD(struct sockaddr_in, "sockaddr_in", sin_addr);
  FIELD(struct sockaddr_in, "sockaddr_in", sin_zero);

  STRUCT(struct sockaddr_in6, "sockaddr_in6");
#ifdef __APPLE__
  FIELD(struct sockaddr_in6, "sockaddr_in6", sin6_len);
#endif
  FIELD(struct sockaddr_in6, "sockaddr_in6", sin6_family);
  FIELD(struct sockaddr_in6, "sockaddr_in6", sin6_port);
  FIELD(struct sockaddr_in6, "sockaddr_in6", sin6_flowinfo);
  FIELD(struct sockaddr_in6, "sockaddr_in6", sin6_addr);
  FIELD(struct sockaddr_in6, "sockaddr_in6", sin6_scope_id);

  STRUCT(struct sockaddr_storage, "sockaddr_storage");
#ifdef __APPLE__
  FIELD(struct sockaddr_storage, "sockaddr_storage", ss_len);
#endif
  FIELD(struct sockaddr_storage, "sockaddr_storage", ss_family);

#ifndef _WIN32
  STRUCT(struct sockaddr_un, "sockaddr_un");
#ifdef __APPLE__
  FIELD(struct sockaddr_un, "sockaddr_un", sun_len);
#endif
  FIELD(struct sockaddr_un, "sockaddr_un", sun_family);
  FIELD(struct sockaddr_un, "sockaddr_un", sun_path);
#endif

  STRUCT(struct addrinfo, "addrinfo");
  FIELD(struct addrinfo, "addrinfo", ai_flags);
  FIELD(struct addrinfo, "addrinfo", ai_family);
  FIELD(struct addrinfo, "addrinfo", ai_socktype);
  FIELD(struct addrinfo, "addrinfo", ai_protocol);
  FIELD(struct addrinfo, "addrinfo", ai_addrlen);
  FIELD(struct addrinfo, "addrinfo", ai_addr);
  FIELD(struct addrinfo, "addrinfo", ai_canonname);
  FIELD(struct addrinfo, "addrinfo", ai_next);

  STRUCT(uv_process_options_t, "uv_process_options_t");
  FIELD(uv_process_options_t, "uv_process_options_t", exit_cb);
  FIELD(uv_process_options_t, "uv_process_options_t", file);
  FIELD(uv_process_options_t, "uv_process_options_t", args);
  FIELD(uv_process_options_t, "uv_process_options_t", env);
  FIELD(uv_process_options_t, "uv_process_options_t", cwd);
  FIELD(uv_process_options_t, "uv_process_options_t", flags);
  FIELD(uv_process_options_t, "uv_process_options_t", stdio_count);
  FIELD(uv_process_options_t, "uv_process_options_t", stdio);
  FIELD(uv_process_options_t, "uv_process_options_t", uid);
  FIELD(uv_process_options_t, "uv_process_options_t", gid);

  STRUCT(uv_stdio_container_t, "uv_stdio_container_t");
  FIELD(uv_stdio_container_t, "uv_stdio_container_t", flags);
  FIELD(uv_stdio_container_t, "uv_stdio_container_t", data);

  STRUCT(uv_cpu_info_t, "uv_cpu_info_t");
  FIELD(uv_cpu_info_t, "uv_cpu_info_t", model);
  FIELD(uv_cpu_info_t, "uv_cpu_info_t", speed);
  FIELD(uv_cpu_info_t, "uv_cpu_info_t", cpu_times.user);
  FIELD(uv_cpu_info_t, "uv_cpu_info_t", cpu_times.nice);
  FIELD(uv_cpu_info_t, "uv_cpu_info_t", cpu_times.sys);
  FIELD(uv_cpu_info_t, "uv_cpu_info_t", cpu_times.idle);
  FIELD(uv_cpu_info_t, "uv_cpu_info_t", cpu_times.irq);

  STRUCT(uv_interface_address_t, "uv_interface_address_t");
  FIELD(uv_interface_address_t, "uv_interface_address_t", name);
  FIELD(uv_interface_address_t, "uv_interface_address_t", phys_addr);
  FIELD(uv_interface_address_t, "uv_interface_address_t", is_internal);
  FIELD(uv_interface_address_t, "uv_interface_address_t", address);
  FIELD(uv_interface_address_t, "uv_interface_address_t", netmask);

  STRUCT(uv_rusage_t, "uv_rusage_t");
  FIELD(uv_rusage_t, "uv_rusage_t", ru_utime);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_stime);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_maxrss);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_ixrss);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_idrss);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_isrss);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_minflt);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_majflt);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_nswap);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_inblock);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_oublock);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_msgsnd);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_msgrcv);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_nsignals);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_nvcsw);
  FIELD(uv_rusage_t, "uv_rusage_t", ru_nivcsw);

  STRUCT(uv_utsname_t, "uv_utsname_t");
  FIELD(uv_utsname_t, "uv_utsname_t", sysname);
  FIELD(uv_utsname_t, "uv_utsname_t", release);
  FIELD(uv_utsname_t, "uv_utsname_t", version);
  FIELD(uv_utsname_t, "uv_utsname_t", machine);

  STRUCT(uv_passwd_t, "uv_passwd_t");
  FIELD(uv_passwd_t, "uv_passwd_t", username);
  FIELD(uv_passwd_t, "uv_passwd_t", uid);
  FIELD(uv_passwd_t, "uv_passwd_t", gid);
  FIELD(uv_passwd_t, "uv_passwd_t", shell);
  FIELD(uv_passwd_t, "uv_passwd_t", homedir);

  STRUCT(uv_env_item_t, "uv_env_item_t");
  FIELD(uv_env_item_t, "uv_env_item_t", name);
  FIELD(uv_env_item_t, "uv_env_item_t", value);

  // What the binding takes for granted without a layout of its own.
  STRUCT(size_t, "size_t");
  STRUCT(void*, "pointer");
  STRUCT(uv_os_sock_t, "uv_os_sock_t");
  FIELD(uv_handle_t, "uv_handle_t", data);
  FIELD(uv_pipe_t, "uv_pipe_t", ipc);
  FIELD(uv_req_t, "uv_req_t", data);
#ifdef __linux__
  STRUCT(siginfo_t, "siginfo_t");
  FIELD(siginfo_t, "siginfo_t", si_code);
  FIELD(siginfo_t, "siginfo_t", si_pid);
  FIELD(siginfo_t, "siginfo_t", si_status);
  STRUCT(struct rlimit, "rlimit");
  STRUCT(struct linger, "linger");
  STRUCT(sigset_t, "sigset_t");
  STRUCT(struct sigaction, "sigaction");
  STRUCT(struct termios, "termios");
  FIELD(struct termios, "termios", c_lflag);
  STRUCT(struct epoll_event, "epoll_event");
  FIELD(struct epoll_event, "epoll_event", events);
  FIELD(struct epoll_event, "epoll_event", data);
  STRUCT(struct pollfd, "pollfd");
  FIELD(struct pollfd, "pollfd", fd);
  FIELD(struct pollfd, "pollfd", events);
  STRUCT(struct inotify_event, "inotify_event");
  STRUCT(struct timespec, "timespec");
  STRUCT(posix_spawnattr_t, "posix_spawnattr_t");
  STRUCT(posix_spawn_file_actions_t, "posix_spawn_file_actions_t");
#endif
#ifndef _WIN32
  STRUCT(Dl_info, "Dl_info");
  FIELD(Dl_info, "Dl_info", dli_fname);
#endif
}

static void sizes(void) {
  // What uv_loop_size and its like must answer, if header and library belong together.
  STRUCT(uv_loop_t, "uv_loop_t");
#define HANDLE(upper, lower) STRUCT(uv_##lower##_t, "handle:UV_" #upper);
  UV_HANDLE_TYPE_MAP(HANDLE)
#undef HANDLE
#define REQUEST(upper, lower) STRUCT(uv_##lower##_t, "request:UV_" #upper);
  UV_REQ_TYPE_MAP(REQUEST)
#undef REQUEST
}

static void constants(void) {
  CONSTANT(UV_FS_O_RDONLY);
  CONSTANT(UV_FS_O_WRONLY);
  CONSTANT(UV_FS_O_RDWR);
  CONSTANT(UV_FS_O_CREAT);
  CONSTANT(UV_FS_O_EXCL);
  CONSTANT(UV_FS_O_TRUNC);
  CONSTANT(UV_FS_O_APPEND);
  CONSTANT(UV_FS_O_DSYNC);
  CONSTANT(UV_FS_O_SYNC);
  CONSTANT(UV_FS_O_DIRECTORY);
  CONSTANT(UV_FS_O_NOFOLLOW);
  CONSTANT(UV_FS_COPYFILE_EXCL);
  CONSTANT(UV_FS_COPYFILE_FICLONE);
  CONSTANT(UV_FS_COPYFILE_FICLONE_FORCE);
  CONSTANT(UV_DIRENT_UNKNOWN);
  CONSTANT(UV_DIRENT_FILE);
  CONSTANT(UV_DIRENT_DIR);
  CONSTANT(UV_DIRENT_LINK);
  CONSTANT(UV_DIRENT_FIFO);
  CONSTANT(UV_DIRENT_SOCKET);
  CONSTANT(UV_DIRENT_CHAR);
  CONSTANT(UV_DIRENT_BLOCK);
  CONSTANT(S_IFMT);
  CONSTANT(S_IFIFO);
  CONSTANT(S_IFCHR);
  CONSTANT(S_IFDIR);
  CONSTANT(S_IFBLK);
  CONSTANT(S_IFREG);
  CONSTANT(S_IFLNK);
  CONSTANT(S_IFSOCK);
  CONSTANT(F_OK);
  CONSTANT(X_OK);
  CONSTANT(W_OK);
  CONSTANT(R_OK);

  CONSTANT(UV_RUN_DEFAULT);
  CONSTANT(UV_RUN_ONCE);
  CONSTANT(UV_RUN_NOWAIT);

  CONSTANT(UV_UNKNOWN_HANDLE);
#define HANDLE(upper, lower) CONSTANT(UV_##upper);
  UV_HANDLE_TYPE_MAP(HANDLE)
#undef HANDLE
  CONSTANT(UV_FILE);

  CONSTANT(UV_UNKNOWN_REQ);
#define REQUEST(upper, lower) CONSTANT(UV_##upper);
  UV_REQ_TYPE_MAP(REQUEST)
#undef REQUEST

  CONSTANT(UV_TCP_IPV6ONLY);
#ifdef __linux__
  CONSTANT(IN_NONBLOCK);
  CONSTANT(IN_CLOEXEC);
  CONSTANT(IN_MODIFY);
  CONSTANT(IN_ATTRIB);
  CONSTANT(IN_MASK_ADD);
  CONSTANT(IN_MOVED_FROM);
  CONSTANT(IN_MOVED_TO);
  CONSTANT(IN_CREATE);
  CONSTANT(IN_DELETE);
  CONSTANT(IN_DELETE_SELF);
  CONSTANT(IN_MOVE_SELF);
  CONSTANT(IN_UNMOUNT);
  CONSTANT(IN_Q_OVERFLOW);
  CONSTANT(IN_IGNORED);
  CONSTANT(IN_DONT_FOLLOW);
  CONSTANT(IN_ONLYDIR);
  CONSTANT(IN_EXCL_UNLINK);
  CONSTANT(IN_ISDIR);
  CONSTANT(AT_FDCWD);
  CONSTANT(AT_SYMLINK_NOFOLLOW);
  CONSTANT(UTIME_NOW);
  CONSTANT(UTIME_OMIT);
  CONSTANT(P_PID);
  CONSTANT(P_PIDFD);
  CONSTANT(WNOHANG);
  CONSTANT(WEXITED);
  CONSTANT(CLD_EXITED);
  CONSTANT(CLOSE_RANGE_CLOEXEC);
  CONSTANT(POSIX_SPAWN_SETSIGDEF);
  CONSTANT(POSIX_SPAWN_SETSIGMASK);
  CONSTANT(POSIX_SPAWN_SETSID);
  CONSTANT(O_RDWR);
  CONSTANT(SEEK_SET);
  CONSTANT(SEEK_CUR);
  CONSTANT(SEEK_DATA);
  CONSTANT(SEEK_HOLE);
  CONSTANT(SO_PEERNAME);
  CONSTANT(SYS_epoll_pwait);
  CONSTANT(SYS_recvfrom);
  CONSTANT(SYS_sendto);
  CONSTANT(EPOLL_CLOEXEC);
  CONSTANT(EPOLL_CTL_ADD);
  CONSTANT(EPOLL_CTL_DEL);
  CONSTANT(EPOLL_CTL_MOD);
  CONSTANT(EPOLLIN);
  CONSTANT(EPOLLPRI);
  CONSTANT(EPOLLRDHUP);
  CONSTANT(EPOLLOUT);
  CONSTANT(EPOLLET);
  CONSTANT(EFD_CLOEXEC);
  CONSTANT(EFD_NONBLOCK);
  CONSTANT(MSG_DONTWAIT);
  CONSTANT(MSG_NOSIGNAL);
  CONSTANT(MSG_MORE);
  CONSTANT(RWF_NOWAIT);
  CONSTANT(POLLIN);
  CONSTANT(POLLOUT);
  CONSTANT(O_ACCMODE);
  CONSTANT(O_NONBLOCK);
  CONSTANT(O_CLOEXEC);
  CONSTANT(MFD_CLOEXEC);
  CONSTANT(FIONREAD);
  CONSTANT(FICLONE);
  CONSTANT(TCSANOW);
  CONSTANT(TCSADRAIN);
  CONSTANT(TCIFLUSH);
  CONSTANT(ECHO);
  CONSTANT(ECHONL);
#endif
  CONSTANT(UV_DISCONNECT);
  CONSTANT(UV_PRIORITIZED);
  CONSTANT(UV_PROCESS_SETUID);
  CONSTANT(UV_PROCESS_SETGID);
  CONSTANT(UV_PROCESS_DETACHED);
  CONSTANT(UV_IGNORE);
  CONSTANT(UV_INHERIT_FD);

  CONSTANT(UV_UDP_IPV6ONLY);
  CONSTANT(UV_UDP_PARTIAL);
  CONSTANT(UV_UDP_REUSEADDR);
  CONSTANT(UV_UDP_MMSG_CHUNK);
  CONSTANT(UV_UDP_MMSG_FREE);
  CONSTANT(UV_UDP_RECVMMSG);
  CONSTANT(UV_LEAVE_GROUP);
  CONSTANT(UV_JOIN_GROUP);

  CONSTANT(UV_READABLE);
  CONSTANT(UV_WRITABLE);
  CONSTANT(UV_NONBLOCK_PIPE);

  CONSTANT(AF_UNSPEC);
  CONSTANT(AF_INET);
  CONSTANT(AF_INET6);
#ifndef _WIN32
  CONSTANT(AF_UNIX);
  CONSTANT(SOL_SOCKET);
  CONSTANT(SO_ACCEPTCONN);
#endif
#ifdef __linux__
  CONSTANT(SOCK_CLOEXEC);
  CONSTANT(SOCK_NONBLOCK);
#endif
  CONSTANT(SOCK_STREAM);
  CONSTANT(SOCK_DGRAM);
#ifndef _WIN32
  CONSTANT(RLIMIT_NOFILE);
  CONSTANT(SO_REUSEPORT);
#endif
  CONSTANT(SO_LINGER);
  CONSTANT(AI_NUMERICHOST);
  CONSTANT(AI_NUMERICSERV);
  CONSTANT(AI_ADDRCONFIG);
  CONSTANT(AI_PASSIVE);
  CONSTANT(AI_CANONNAME);
  CONSTANT(NI_NAMEREQD);
  CONSTANT(NI_DGRAM);
  CONSTANT(NI_NUMERICHOST);
  CONSTANT(NI_NUMERICSERV);

  CONSTANT(SIGHUP);
  CONSTANT(SIGINT);
  CONSTANT(SIGQUIT);
  CONSTANT(SIGILL);
  CONSTANT(SIGTRAP);
  CONSTANT(SIGABRT);
  CONSTANT(SIGBUS);
  CONSTANT(SIGFPE);
  CONSTANT(SIGKILL);
  CONSTANT(SIGUSR1);
  CONSTANT(SIGSEGV);
  CONSTANT(SIGUSR2);
  CONSTANT(SIGPIPE);
  CONSTANT(SIGALRM);
  CONSTANT(SIGTERM);
#ifdef SIGSTKFLT
  CONSTANT(SIGSTKFLT);
#endif
  CONSTANT(SIGCHLD);
  CONSTANT(SIGCONT);
  CONSTANT(SIGSTOP);
  CONSTANT(SIGTSTP);
  CONSTANT(SIGTTIN);
  CONSTANT(SIGTTOU);
  CONSTANT(SIGURG);
  CONSTANT(SIGXCPU);
  CONSTANT(SIGXFSZ);
  CONSTANT(SIGVTALRM);
  CONSTANT(SIGPROF);
  CONSTANT(SIGWINCH);
  CONSTANT(SIGPOLL);
#ifdef SIGPWR
  CONSTANT(SIGPWR);
#endif
  CONSTANT(SIGSYS);

#define FAILURE(name, message) CONSTANT(UV_##name);
  UV_ERRNO_MAP(FAILURE)
#undef FAILURE
}

int main(void) {
  structs();
  sizes();
  constants();
  return 0;
}
