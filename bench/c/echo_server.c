// SPDX-License-Identifier: Apache-2.0
//
// The echo server that Couv is measured against: what a careful C programmer writes on libuv.
//
// Reading stays started for the life of a connection. All connections share one buffer, because what
// was read is written before libuv reads again: the kernel usually takes all of it at once
// (uv_try_write), and only the rest is copied and queued. While a peer does not take what was queued,
// nothing more is read from it.
//
//   echo_server PORT|PATH|version
//
// A path is a local socket's. Serves until it is killed.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#define BACKLOG 4096
#define BUFFER_SIZE (64 * 1024)

typedef struct {
  uv_write_t request;
  char bytes[];
} rest_t;

static char buffer[BUFFER_SIZE];

static void must(int code, const char *call) {
  if (code < 0) {
    fprintf(stderr, "%s: %s\n", call, uv_strerror(code));
    exit(1);
  }
}

static void *allocate(size_t size) {
  void *memory = malloc(size);
  if (memory == NULL) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

static void on_close(uv_handle_t *handle) { free(handle); }

static void close_stream(uv_stream_t *stream) {
  if (!uv_is_closing((uv_handle_t *)stream)) uv_close((uv_handle_t *)stream, on_close);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  buf->base = buffer;
  buf->len = sizeof buffer;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf);

static void on_written(uv_write_t *request, int status) {
  uv_stream_t *stream = request->handle;
  free(request);
  if (status < 0)
    close_stream(stream);
  else if (!uv_is_closing((uv_handle_t *)stream))
    must(uv_read_start(stream, on_alloc, on_read), "uv_read_start");
}

static void write_later(uv_stream_t *stream, const char *bytes, size_t length) {
  rest_t *rest = allocate(sizeof *rest + length);
  memcpy(rest->bytes, bytes, length);
  uv_buf_t buf = uv_buf_init(rest->bytes, (unsigned)length);
  uv_read_stop(stream);
  if (uv_write(&rest->request, stream, &buf, 1, on_written) < 0) {
    free(rest);
    close_stream(stream);
  }
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf) {
  if (count < 0) {
    close_stream(stream);
  } else if (count > 0) {
    uv_buf_t all = uv_buf_init(buf->base, (unsigned)count);
    int written = uv_try_write(stream, &all, 1);
    if (written == UV_EAGAIN) written = 0;
    if (written < 0)
      close_stream(stream);
    else if (written < count)
      write_later(stream, buf->base + written, (size_t)(count - written));
  }
}

static void on_connection(uv_stream_t *server, int status) {
  must(status, "connection");
  uv_stream_t *client;
  if (server->type == UV_NAMED_PIPE) {
    client = allocate(sizeof(uv_pipe_t));
    must(uv_pipe_init(server->loop, (uv_pipe_t *)client, 0), "uv_pipe_init");
  } else {
    client = allocate(sizeof(uv_tcp_t));
    must(uv_tcp_init(server->loop, (uv_tcp_t *)client), "uv_tcp_init");
  }
  must(uv_accept(server, client), "uv_accept");
  if (client->type == UV_TCP) uv_tcp_nodelay((uv_tcp_t *)client, 1);
  must(uv_read_start(client, on_alloc, on_read), "uv_read_start");
}

static uv_stream_t *bind_path(uv_loop_t *loop, const char *path) {
  static uv_pipe_t server;
  must(uv_pipe_init(loop, &server, 0), "uv_pipe_init");
  must(uv_pipe_bind(&server, path), "uv_pipe_bind");
  return (uv_stream_t *)&server;
}

static uv_stream_t *bind_port(uv_loop_t *loop, int port) {
  static uv_tcp_t server;
  struct sockaddr_in address;
  must(uv_ip4_addr("127.0.0.1", port, &address), "uv_ip4_addr");
  must(uv_tcp_init(loop, &server), "uv_tcp_init");
  must(uv_tcp_bind(&server, (const struct sockaddr *)&address, 0), "uv_tcp_bind");
  return (uv_stream_t *)&server;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: echo_server PORT|PATH|version\n", stderr);
    return 2;
  }
  if (strcmp(argv[1], "version") == 0) {
    printf("libuv %s, compiled by %s\n", uv_version_string(), COMPILER);
    return 0;
  }
  uv_loop_t *loop = uv_default_loop();
  uv_stream_t *server =
      strchr(argv[1], '/') != NULL ? bind_path(loop, argv[1]) : bind_port(loop, atoi(argv[1]));
  must(uv_listen(server, BACKLOG, on_connection), "uv_listen");
  return uv_run(loop, UV_RUN_DEFAULT);
}
