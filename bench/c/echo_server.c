// SPDX-License-Identifier: Apache-2.0
//
// The echo server that Couv is measured against: what a careful C programmer writes on libuv.
//
// Reading stays started for the life of a connection. All connections share one buffer, because what
// was read is written before libuv reads again: the kernel usually takes all of it at once
// (uv_try_write), and only the rest is copied and queued. While a peer does not take what was queued,
// nothing more is read from it.
//
// Prints what it is and its port, serves until it is killed.

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
  uv_tcp_t *client = allocate(sizeof *client);
  must(uv_tcp_init(server->loop, client), "uv_tcp_init");
  must(uv_accept(server, (uv_stream_t *)client), "uv_accept");
  uv_tcp_nodelay(client, 1);
  must(uv_read_start((uv_stream_t *)client, on_alloc, on_read), "uv_read_start");
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t server;
  struct sockaddr_in address;
  int length = sizeof address;
  must(uv_ip4_addr("127.0.0.1", 0, &address), "uv_ip4_addr");
  must(uv_tcp_init(loop, &server), "uv_tcp_init");
  must(uv_tcp_bind(&server, (const struct sockaddr *)&address, 0), "uv_tcp_bind");
  must(uv_listen((uv_stream_t *)&server, BACKLOG, on_connection), "uv_listen");
  must(uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length), "uv_tcp_getsockname");
  printf("libuv %s, compiled by %s\n", uv_version_string(), COMPILER);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return uv_run(loop, UV_RUN_DEFAULT);
}
