// SPDX-License-Identifier: Apache-2.0
//
// An echo server on io_uring, as a careful C programmer writes it: one accept and one receive per
// connection that stay armed, a ring of buffers that the kernel takes from, and all that a turn has to
// send submitted with the next wait.
//
// A message goes out from the buffer that it came in, which returns to the ring when it is sent. While
// the ring is empty receives end with ENOBUFS and are armed anew.
//
//   uring_server PORT|version

#include <arpa/inet.h>
#include <errno.h>
#include <liburing.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ENTRIES 4096
#define BUFFERS 4096
#define BUFFER_SIZE (16 * 1024)
#define GROUP 1

// What a completion is of: the kind, the buffer and the socket, in its 64 bits.
enum { ACCEPT, RECEIVE, SEND };

static struct io_uring ring;
static struct io_uring_buf_ring *free_buffers;
static char *memory;
static uint32_t to_send[BUFFERS];  // what is left of a buffer that is being sent
static uint32_t sent[BUFFERS];

static void must(int code, const char *call) {
  if (code < 0) {
    fprintf(stderr, "%s: %s\n", call, strerror(-code));
    exit(1);
  }
}

static uint64_t mark(unsigned kind, unsigned buffer, int fd) {
  return (uint64_t)kind << 56 | (uint64_t)buffer << 32 | (uint32_t)fd;
}

static struct io_uring_sqe *next(void) {
  struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
  if (sqe == NULL) {
    must(io_uring_submit(&ring), "io_uring_submit");
    sqe = io_uring_get_sqe(&ring);
  }
  return sqe;
}

static char *bytes_of(unsigned buffer) { return memory + (size_t)buffer * BUFFER_SIZE; }

static void give_back(unsigned buffer) {
  io_uring_buf_ring_add(free_buffers, bytes_of(buffer), BUFFER_SIZE, (unsigned short)buffer,
                        io_uring_buf_ring_mask(BUFFERS), 0);
  io_uring_buf_ring_advance(free_buffers, 1);
}

static void arm_accept(int listener) {
  struct io_uring_sqe *sqe = next();
  io_uring_prep_multishot_accept(sqe, listener, NULL, NULL, 0);
  io_uring_sqe_set_data64(sqe, mark(ACCEPT, 0, listener));
}

static void arm_receive(int fd) {
  struct io_uring_sqe *sqe = next();
  io_uring_prep_recv_multishot(sqe, fd, NULL, 0, 0);
  sqe->flags |= IOSQE_BUFFER_SELECT;
  sqe->buf_group = GROUP;
  io_uring_sqe_set_data64(sqe, mark(RECEIVE, 0, fd));
}

static void send_rest(int fd, unsigned buffer) {
  struct io_uring_sqe *sqe = next();
  io_uring_prep_send(sqe, fd, bytes_of(buffer) + sent[buffer], to_send[buffer], MSG_NOSIGNAL);
  io_uring_sqe_set_data64(sqe, mark(SEND, buffer, fd));
}

static void on_accept(struct io_uring_cqe *cqe, int listener) {
  int on = 1;
  must(cqe->res, "accept");
  setsockopt(cqe->res, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  arm_receive(cqe->res);
  if (!(cqe->flags & IORING_CQE_F_MORE)) arm_accept(listener);
}

static void on_receive(struct io_uring_cqe *cqe, int fd) {
  if (cqe->res > 0) {
    unsigned buffer = cqe->flags >> IORING_CQE_BUFFER_SHIFT;
    sent[buffer] = 0;
    to_send[buffer] = (uint32_t)cqe->res;
    send_rest(fd, buffer);
    if (!(cqe->flags & IORING_CQE_F_MORE)) arm_receive(fd);
  } else if (cqe->res == -ENOBUFS) {
    arm_receive(fd);
  } else {
    close(fd);
  }
}

static void on_sent(struct io_uring_cqe *cqe, unsigned buffer, int fd) {
  if (cqe->res > 0 && (uint32_t)cqe->res < to_send[buffer]) {
    sent[buffer] += (uint32_t)cqe->res;
    to_send[buffer] -= (uint32_t)cqe->res;
    send_rest(fd, buffer);
  } else {
    // One who is gone is noticed by his receive.
    give_back(buffer);
  }
}

static void on_completion(struct io_uring_cqe *cqe) {
  uint64_t data = cqe->user_data;
  int fd = (int)(uint32_t)data;
  switch (data >> 56) {
    case ACCEPT: on_accept(cqe, fd); break;
    case RECEIVE: on_receive(cqe, fd); break;
    default: on_sent(cqe, (unsigned)(data >> 32) & 0xffff, fd);
  }
}

static void prepare_buffers(void) {
  struct io_uring_buf_reg shared = {.ring_entries = BUFFERS, .bgid = GROUP};
  void *place;
  if (posix_memalign(&place, 4096, BUFFERS * sizeof(struct io_uring_buf)) != 0 ||
      (memory = malloc((size_t)BUFFERS * BUFFER_SIZE)) == NULL)
    must(-ENOMEM, "memory");
  free_buffers = place;
  shared.ring_addr = (uintptr_t)place;
  io_uring_buf_ring_init(free_buffers);
  must(io_uring_register_buf_ring(&ring, &shared, 0), "io_uring_register_buf_ring");
  for (unsigned i = 0; i < BUFFERS; i++) give_back(i);
}

static int listen_at(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(listener, 4096) != 0)
    must(-errno, "listen");
  return listener;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: uring_server PORT|version\n", stderr);
    return 2;
  }
  if (strcmp(argv[1], "version") == 0) {
    printf("liburing %s, compiled by gcc %s\n", LIBURING, __VERSION__);
    return 0;
  }
  struct io_uring_params params = {.flags = IORING_SETUP_SINGLE_ISSUER |
                                            IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE,
                                   .cq_entries = 4 * ENTRIES};
  must(io_uring_queue_init_params(ENTRIES, &ring, &params), "io_uring_queue_init_params");
  prepare_buffers();
  arm_accept(listen_at(atoi(argv[1])));
  while (1) {
    struct io_uring_cqe *cqe;
    unsigned head, count = 0;
    int waited = io_uring_submit_and_wait(&ring, 1);
    if (waited != -EINTR) must(waited, "io_uring_submit_and_wait");
    io_uring_for_each_cqe(&ring, head, cqe) {
      on_completion(cqe);
      count++;
    }
    io_uring_cq_advance(&ring, count);
  }
}
