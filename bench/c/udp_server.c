// SPDX-License-Identifier: Apache-2.0
//
// The UDP echo server that Couv is measured against, on libuv: one shared buffer, an answer at once
// (uv_udp_try_send), and what the kernel does not take is lost, as datagrams are.
//
//   udp_server PORT|version

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static char buffer[64 * 1024];

static void must(int code, const char *call) {
  if (code < 0) {
    fprintf(stderr, "%s: %s\n", call, uv_strerror(code));
    exit(1);
  }
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  buf->base = buffer;
  buf->len = sizeof buffer;
}

static void on_receive(uv_udp_t *socket, ssize_t count, const uv_buf_t *buf,
                       const struct sockaddr *from, unsigned flags) {
  (void)flags;
  if (count <= 0 || from == NULL) return;
  uv_buf_t answer = uv_buf_init(buf->base, (unsigned)count);
  uv_udp_try_send(socket, &answer, 1, from);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: udp_server PORT|version\n", stderr);
    return 2;
  }
  if (strcmp(argv[1], "version") == 0) {
    printf("libuv %s, compiled by gcc %s\n", uv_version_string(), __VERSION__);
    return 0;
  }
  uv_loop_t *loop = uv_default_loop();
  uv_udp_t socket;
  struct sockaddr_in address;
  must(uv_ip4_addr("127.0.0.1", atoi(argv[1]), &address), "uv_ip4_addr");
  must(uv_udp_init(loop, &socket), "uv_udp_init");
  must(uv_udp_bind(&socket, (const struct sockaddr *)&address, 0), "uv_udp_bind");
  must(uv_udp_recv_start(&socket, on_alloc, on_receive), "uv_udp_recv_start");
  return uv_run(loop, UV_RUN_DEFAULT);
}
