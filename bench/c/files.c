// SPDX-License-Identifier: Apache-2.0
//
// What files cost in C on libuv, one request at a time, each by libuv's threads:
//
//   files SIZE CASE DIRECTORY | files version
//
// The cases and numbers are those of FileProgram and FileWork.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#define PATH_SIZE 4096

static uv_loop_t *loop;
static int size;
static const char *place;
static char file[PATH_SIZE];
static char tree[PATH_SIZE];
static char copy[PATH_SIZE];
static char *bytes;

static void must(ssize_t code, const char *call) {
  if (code < 0) {
    fprintf(stderr, "%s: %s\n", call, uv_strerror((int)code));
    exit(1);
  }
}

static void on_done(uv_fs_t *request) { (void)request; }

// Runs the loop until the one request is done. Its result; the request is the caller's to clean up.
static ssize_t done(int started, uv_fs_t *request, const char *call) {
  must(started, call);
  uv_run(loop, UV_RUN_DEFAULT);
  must(request->result, call);
  return request->result;
}

#define CALL(request, call, ...) done(call(loop, request, __VA_ARGS__, on_done), request, #call)

static int open_file(int flags) {
  uv_fs_t request;
  int fd = (int)CALL(&request, uv_fs_open, file, flags, 0644);
  uv_fs_req_cleanup(&request);
  return fd;
}

static void close_file(int fd) {
  uv_fs_t request;
  CALL(&request, uv_fs_close, fd);
  uv_fs_req_cleanup(&request);
}

static void read_file(void) {
  uv_fs_t request;
  int fd = open_file(O_RDONLY);
  CALL(&request, uv_fs_fstat, fd);
  size_t length = request.statbuf.st_size;
  uv_fs_req_cleanup(&request);
  char *content = malloc(length);
  uv_buf_t buf = uv_buf_init(content, (unsigned)length);
  if ((size_t)CALL(&request, uv_fs_read, fd, &buf, 1, 0) != length) must(UV_EOF, "read");
  uv_fs_req_cleanup(&request);
  free(content);
  close_file(fd);
}

static void write_file(void) {
  uv_fs_t request;
  int fd = open_file(O_WRONLY | O_CREAT | O_TRUNC);
  uv_buf_t buf = uv_buf_init(bytes, (unsigned)size);
  if (CALL(&request, uv_fs_write, fd, &buf, 1, 0) != size) must(UV_EIO, "write");
  uv_fs_req_cleanup(&request);
  close_file(fd);
}

static void stat_file(void) {
  uv_fs_t request;
  CALL(&request, uv_fs_stat, file);
  uv_fs_req_cleanup(&request);
}

static void list(void) {
  uv_fs_t request;
  uv_dirent_t entry;
  int found = 0;
  CALL(&request, uv_fs_scandir, place, 0);
  while (uv_fs_scandir_next(&request, &entry) != UV_EOF) found++;
  uv_fs_req_cleanup(&request);
  if (found != size) must(UV_EIO, "scandir");
}

static void join(char *path, const char *directory, const char *name) {
  if (snprintf(path, PATH_SIZE, "%s/%s", directory, name) >= PATH_SIZE)
    must(UV_ENAMETOOLONG, directory);
}

static void join_number(char *path, const char *directory, const char *name, int number) {
  char numbered[64];
  snprintf(numbered, sizeof numbered, "%s-%d", name, number);
  join(path, directory, numbered);
}

static void copy_tree(const char *from, const char *to) {
  uv_fs_t listing, request;
  uv_dirent_t entry;
  char source[PATH_SIZE], target[PATH_SIZE];
  CALL(&request, uv_fs_mkdir, to, 0755);
  uv_fs_req_cleanup(&request);
  CALL(&listing, uv_fs_scandir, from, 0);
  while (uv_fs_scandir_next(&listing, &entry) != UV_EOF) {
    join(source, from, entry.name);
    join(target, to, entry.name);
    if (entry.type == UV_DIRENT_DIR) {
      copy_tree(source, target);
    } else {
      CALL(&request, uv_fs_copyfile, source, target, 0);
      uv_fs_req_cleanup(&request);
    }
  }
  uv_fs_req_cleanup(&listing);
}

static void remove_tree(const char *directory) {
  uv_fs_t listing, request;
  uv_dirent_t entry;
  char path[PATH_SIZE];
  CALL(&listing, uv_fs_scandir, directory, 0);
  while (uv_fs_scandir_next(&listing, &entry) != UV_EOF) {
    join(path, directory, entry.name);
    if (entry.type == UV_DIRENT_DIR) {
      remove_tree(path);
    } else {
      CALL(&request, uv_fs_unlink, path);
      uv_fs_req_cleanup(&request);
    }
  }
  uv_fs_req_cleanup(&listing);
  CALL(&request, uv_fs_rmdir, directory);
  uv_fs_req_cleanup(&request);
}

static void copy_and_remove(void) {
  copy_tree(tree, copy);
  remove_tree(copy);
}

static void fill(const char *directory, int files, size_t length) {
  char path[PATH_SIZE];
  static char nothing[4096];
  for (int i = 0; i < files; i++) {
    join_number(path, directory, "entry", i);
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    if (fd < 0 || write(fd, nothing, length) != (ssize_t)length) must(UV_EIO, "fill");
    close(fd);
  }
}

static void plant(void) {
  char path[PATH_SIZE];
  mkdir(tree, 0755);
  for (int i = 0; i < size / 10; i++) {
    join_number(path, tree, "directory", i);
    mkdir(path, 0755);
    fill(path, 10, 4096);
  }
}

static double nanos(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void measure(int warm_up, int times, void (*action)(void)) {
  for (int i = 0; i < warm_up; i++) action();
  double cpu = nanos(CLOCK_PROCESS_CPUTIME_ID);
  double time = nanos(CLOCK_MONOTONIC);
  for (int i = 0; i < times; i++) action();
  printf("time %.1f\n", (nanos(CLOCK_MONOTONIC) - time) / times);
  printf("cpu %.1f\n", (nanos(CLOCK_PROCESS_CPUTIME_ID) - cpu) / times);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "version") == 0) {
    printf("libuv %s, compiled by gcc %s\n", uv_version_string(), __VERSION__);
    return 0;
  }
  if (argc != 4) {
    fputs("usage: files SIZE CASE DIRECTORY | files version\n", stderr);
    return 2;
  }
  loop = uv_default_loop();
  size = atoi(argv[1]);
  const char *what = argv[2];
  place = argv[3];
  join(file, place, "file");
  join(tree, place, "tree");
  join(copy, place, "copy");
  bytes = calloc(1, (size_t)size);
  int times = size > 100000 ? 2000 : 20000;
  if (strcmp(what, "read") == 0) {
    write_file();
    measure(100, times, read_file);
  } else if (strcmp(what, "write") == 0) {
    measure(100, times, write_file);
  } else if (strcmp(what, "stat") == 0) {
    write_file();
    measure(100, 20000, stat_file);
  } else if (strcmp(what, "list") == 0) {
    fill(place, size, 0);
    measure(2, 1000000 / size, list);
  } else if (strcmp(what, "copy") == 0) {
    plant();
    measure(1, 10000 / size, copy_and_remove);
  } else {
    fprintf(stderr, "no such case: %s\n", what);
    return 2;
  }
  return 0;
}
