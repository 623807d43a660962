// SPDX-License-Identifier: Apache-2.0
//
// The load of the echo comparison, the same for every server: one thread, epoll, a fixed number of
// connections in a closed loop. Each connection sends a message, waits for all of it to come back,
// and sends the next; so there are as many messages on their way as there are connections.
//
//   load PORT CONNECTIONS BYTES WARM_UP_MESSAGES MEASURED_MILLIS SERVER_PID
//
// Prints one line about the measured window: messages, CPU time of the server, the window's length,
// p50, p99 and slowest latency; times in nanoseconds.
//
// The server's CPU time is its process clock: all threads, also those that have ended. The warm-up is
// counted in messages, because what a JIT compiler waits for is calls, not seconds.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define EVENTS 1024

// Buckets as those of HdrHistogram: a power of two, divided into 64, so within 1.6 % of the truth.
#define SUB_BITS 6
#define SUB_COUNT (1 << SUB_BITS)
#define BUCKETS (64 * SUB_COUNT)

typedef struct {
  int fd;
  size_t sent;      // of the current message
  size_t received;  // of its echo
  uint64_t begun;
  uint32_t events;  // what epoll watches
} connection_t;

static size_t size;
static char *message;
static char *echo;
static int poller;
static uint64_t histogram[BUCKETS];
static uint64_t messages;
static uint64_t slowest;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t clock_nanos(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) fail("clock_gettime");
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t now(void) { return clock_nanos(CLOCK_MONOTONIC); }

static uint64_t cpu_of(pid_t process) {
  clockid_t clock;
  errno = clock_getcpuclockid(process, &clock);
  if (errno != 0) fail("clock_getcpuclockid");
  return clock_nanos(clock);
}

static unsigned bucket_of(uint64_t value) {
  if (value < SUB_COUNT) return (unsigned)value;
  unsigned shift = 63u - (unsigned)__builtin_clzll(value) - SUB_BITS;
  return (shift + 1) * SUB_COUNT + (unsigned)((value >> shift) - SUB_COUNT);
}

// The middle of the bucket.
static uint64_t value_of(unsigned bucket) {
  if (bucket < SUB_COUNT) return bucket;
  unsigned shift = bucket / SUB_COUNT - 1;
  return ((uint64_t)(SUB_COUNT + bucket % SUB_COUNT) << shift) + ((1ull << shift) >> 1);
}

static uint64_t percentile(double share) {
  uint64_t wanted = (uint64_t)(share * (double)messages);
  uint64_t seen = 0;
  for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
    seen += histogram[bucket];
    if (seen > wanted) return value_of(bucket);
  }
  return slowest;
}

static void watch(connection_t *connection, uint32_t events) {
  if (connection->events == events) return;
  struct epoll_event event = {.events = events, .data.ptr = connection};
  int change = connection->events == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  if (epoll_ctl(poller, change, connection->fd, &event) != 0) fail("epoll_ctl");
  connection->events = events;
}

static void send_rest(connection_t *connection) {
  while (connection->sent < size) {
    ssize_t count =
        send(connection->fd, message + connection->sent, size - connection->sent, MSG_NOSIGNAL);
    if (count < 0) {
      if (errno != EAGAIN) fail("send");
      watch(connection, EPOLLIN | EPOLLOUT);
      return;
    }
    connection->sent += (size_t)count;
  }
  watch(connection, EPOLLIN);
}

static void begin_message(connection_t *connection) {
  connection->sent = 0;
  connection->received = 0;
  connection->begun = now();
  send_rest(connection);
}

static void count_message(connection_t *connection) {
  uint64_t latency = now() - connection->begun;
  histogram[bucket_of(latency)]++;
  messages++;
  if (latency > slowest) slowest = latency;
}

static void receive(connection_t *connection) {
  ssize_t count = recv(connection->fd, echo, size - connection->received, 0);
  if (count == 0) {
    fputs("the server closed a connection\n", stderr);
    exit(1);
  }
  if (count < 0) {
    if (errno != EAGAIN) fail("recv");
    return;
  }
  if (memcmp(echo, message + connection->received, (size_t)count) != 0) {
    fputs("what came back is not what was sent\n", stderr);
    exit(1);
  }
  connection->received += (size_t)count;
  if (connection->received == size) {
    count_message(connection);
    begin_message(connection);
  }
}

static void poll_once(void) {
  struct epoll_event events[EVENTS];
  int count = epoll_wait(poller, events, EVENTS, 100);
  if (count < 0 && errno != EINTR) fail("epoll_wait");
  for (int i = 0; i < count; i++) {
    connection_t *connection = events[i].data.ptr;
    if (events[i].events & EPOLLOUT) send_rest(connection);
    if (events[i].events & ~(uint32_t)EPOLLOUT) receive(connection);
  }
}

// Blocking until it is connected: connections are made one after the other.
static void connect_to(connection_t *connection, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  connection->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection->fd < 0) fail("socket");
  if (connect(connection->fd, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
  if (setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) fail("nodelay");
  if (fcntl(connection->fd, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
}

static void allow_descriptors(int count) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) fail("getrlimit");
  if (limit.rlim_cur < (rlim_t)count + 16) {
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("setrlimit");
  }
}

static void forget(void) {
  memset(histogram, 0, sizeof histogram);
  messages = 0;
  slowest = 0;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fputs("usage: load PORT CONNECTIONS BYTES WARM_UP_MESSAGES MEASURED_MILLIS SERVER_PID\n", stderr);
    return 2;
  }
  int port = atoi(argv[1]);
  int count = atoi(argv[2]);
  size = (size_t)atol(argv[3]);
  uint64_t warm_up = (uint64_t)atol(argv[4]);
  uint64_t measured = (uint64_t)atol(argv[5]) * 1000000u;
  pid_t server = (pid_t)atoi(argv[6]);

  allow_descriptors(count);
  connection_t *connections = calloc((size_t)count, sizeof *connections);
  message = malloc(size);
  echo = malloc(size);
  if (connections == NULL || message == NULL || echo == NULL) fail("malloc");
  for (size_t i = 0; i < size; i++) message[i] = (char)(i * 131 + i / 251);
  poller = epoll_create1(EPOLL_CLOEXEC);
  if (poller < 0) fail("epoll_create1");

  for (int i = 0; i < count; i++) connect_to(&connections[i], port);
  for (int i = 0; i < count; i++) begin_message(&connections[i]);
  while (messages < warm_up) poll_once();

  forget();
  uint64_t cpu = cpu_of(server);
  uint64_t begun = now();
  while (now() < begun + measured) poll_once();
  uint64_t ended = now();
  cpu = cpu_of(server) - cpu;

  printf("%llu %llu %llu %llu %llu %llu\n", (unsigned long long)messages, (unsigned long long)cpu,
         (unsigned long long)(ended - begun), (unsigned long long)percentile(0.50),
         (unsigned long long)percentile(0.99), (unsigned long long)slowest);
  return 0;
}
