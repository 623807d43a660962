// SPDX-License-Identifier: Apache-2.0
//
// The load of the socket comparisons, the same for every server: one thread, epoll, a fixed number of
// connections in a closed loop. Each connection sends a message, waits for all of it to come back,
// and sends the next; so there are as many messages on their way as there are connections.
//
//   load KIND ADDRESS CONNECTIONS BYTES WARM_UP_MESSAGES MEASURED_MILLIS SERVER_PID
//
// KIND is tcp, udp, tls or churn, and ADDRESS a port; or unix, and ADDRESS a path. TLS is there if it was compiled with -DTLS;
// the server's certificate is not looked at. In churn a connection is
// made, has one echo, and is closed, again and again: a message is the whole of it.
//
// Prints one line about the measured window: messages, CPU time of the server, the window's length,
// p50, p99 and slowest latency; times in nanoseconds.
//
//   load idle ADDRESS CONNECTIONS BYTES 0 0 0
//
// makes the connections, sends one message on each, prints "connected" and holds them until its input ends.
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
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef TLS
#include <openssl/err.h>
#include <openssl/ssl.h>
#endif

#define EVENTS 1024
#define PATIENCE_SECONDS 180

// Buckets as those of HdrHistogram: a power of two, divided into 64, so within 1.6 % of the truth.
#define SUB_BITS 6
#define SUB_COUNT (1 << SUB_BITS)
#define BUCKETS (64 * SUB_COUNT)

// One address of the loopback interface has some 28,000 ports to connect from, and a closed connection
// keeps its port for a while.
#define SOURCES 32

typedef enum { TCP, UDP, UNIX, CHURN, IDLE, TLS_ECHO } kind_t;

static const char *const kinds[] = {"tcp", "udp", "unix", "churn", "idle", "tls"};

typedef struct {
  int fd;
  void *tls;        // null on a plain connection
  size_t sent;      // of the current message
  size_t received;  // of its echo
  uint64_t begun;
  uint32_t events;  // what epoll watches
} connection_t;

static kind_t kind;
static const char *address;
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

#ifdef TLS
static ssize_t tls_result(connection_t *connection, int count) {
  if (count > 0) return count;
  int why = SSL_get_error(connection->tls, count);
  if (why == SSL_ERROR_ZERO_RETURN) return 0;
  if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) {
    ERR_print_errors_fp(stderr);
    fail("tls");
  }
  errno = EAGAIN;
  return -1;
}

static ssize_t put(connection_t *connection, const char *bytes, size_t length) {
  if (connection->tls == NULL) return send(connection->fd, bytes, length, MSG_NOSIGNAL);
  return tls_result(connection, SSL_write(connection->tls, bytes, (int)length));
}

static ssize_t take(connection_t *connection, char *bytes, size_t length) {
  if (connection->tls == NULL) return recv(connection->fd, bytes, length, 0);
  return tls_result(connection, SSL_read(connection->tls, bytes, (int)length));
}

// On a socket that still blocks.
static void shake_hands(connection_t *connection) {
  static SSL_CTX *context;
  if (context == NULL) {
    context = SSL_CTX_new(TLS_client_method());
    // Servers prefer different ones, and that would be what is compared.
    if (SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") != 1) fail("ciphersuites");
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  }
  connection->tls = SSL_new(context);
  SSL_set_fd(connection->tls, connection->fd);
  if (SSL_connect(connection->tls) != 1) {
    ERR_print_errors_fp(stderr);
    fail("handshake");
  }
}
#else
static ssize_t put(connection_t *connection, const char *bytes, size_t length) {
  return send(connection->fd, bytes, length, MSG_NOSIGNAL);
}

static ssize_t take(connection_t *connection, char *bytes, size_t length) {
  return recv(connection->fd, bytes, length, 0);
}

static void shake_hands(connection_t *connection) {
  (void)connection;
  fputs("compiled without TLS\n", stderr);
  exit(2);
}
#endif

static void send_rest(connection_t *connection) {
  while (connection->sent < size) {
    ssize_t count = put(connection, message + connection->sent, size - connection->sent);
    if (count < 0) {
      // A connection that is still being made takes nothing yet.
      if (errno != EAGAIN && errno != ENOTCONN) fail("send");
      watch(connection, EPOLLIN | EPOLLOUT);
      return;
    }
    connection->sent += (size_t)count;
  }
  watch(connection, EPOLLIN);
}

static void connect_local(connection_t *connection) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  strncpy(to.sun_path, address, sizeof to.sun_path - 1);
  if (connect(connection->fd, (struct sockaddr *)&to, sizeof to) != 0) fail("connect");
}

static void connect_internet(connection_t *connection) {
  static unsigned turn;
  int on = 1;
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)atoi(address)),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in from = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK + turn++ % SOURCES)};
  if (kind != UDP) {
    if (setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) fail("nodelay");
    if (setsockopt(connection->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on) != 0)
      fail("no port");
    if (bind(connection->fd, (struct sockaddr *)&from, sizeof from) != 0) fail("bind");
  }
  if (connect(connection->fd, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS)
    fail("connect");
}

// Blocking until it is connected, so one after the other; in churn at once.
static void connect_to(connection_t *connection) {
  int type = kind == UDP ? SOCK_DGRAM : SOCK_STREAM;
  int at_once = kind == CHURN ? SOCK_NONBLOCK : 0;
  connection->fd = socket(kind == UNIX ? AF_UNIX : AF_INET, type | SOCK_CLOEXEC | at_once, 0);
  if (connection->fd < 0) fail("socket");
  connection->events = 0;
  if (kind == UNIX)
    connect_local(connection);
  else
    connect_internet(connection);
  if (kind == TLS_ECHO) shake_hands(connection);
  if (fcntl(connection->fd, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
}

static void begin_message(connection_t *connection) {
  connection->sent = 0;
  connection->received = 0;
  connection->begun = now();
  if (kind == CHURN) connect_to(connection);
  send_rest(connection);
}

static void count_message(connection_t *connection) {
  uint64_t latency = now() - connection->begun;
  histogram[bucket_of(latency)]++;
  messages++;
  if (latency > slowest) slowest = latency;
}

static void receive(connection_t *connection) {
  ssize_t count = take(connection, echo, size - connection->received);
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
    if (kind == CHURN) close(connection->fd);
    if (kind != IDLE) begin_message(connection);
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

static kind_t kind_of(const char *name) {
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i], name) == 0) return (kind_t)i;
  fprintf(stderr, "no such kind of load: %s\n", name);
  exit(2);
}

static void hold(int count) {
  char end;
  while (messages < (uint64_t)count) poll_once();
  puts("connected");
  fflush(stdout);
  while (read(0, &end, 1) > 0) continue;
}

static void measure(uint64_t warm_up, uint64_t measured, pid_t server) {
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
}

int main(int argc, char **argv) {
  if (argc != 8) {
    fputs("usage: load KIND ADDRESS CONNECTIONS BYTES WARM_UP_MESSAGES MEASURED_MILLIS SERVER_PID\n",
          stderr);
    return 2;
  }
  // A datagram that is lost, or a server that says nothing, must not hold the comparison for ever.
  alarm((unsigned)(atol(argv[6]) / 1000) + PATIENCE_SECONDS);
  kind = kind_of(argv[1]);
  address = argv[2];
  int count = atoi(argv[3]);
  size = (size_t)atol(argv[4]);

  allow_descriptors(count);
  connection_t *connections = calloc((size_t)count, sizeof *connections);
  message = malloc(size);
  echo = malloc(size);
  if (connections == NULL || message == NULL || echo == NULL) fail("malloc");
  for (size_t i = 0; i < size; i++) message[i] = (char)(i * 131 + i / 251);
  poller = epoll_create1(EPOLL_CLOEXEC);
  if (poller < 0) fail("epoll_create1");

  if (kind != CHURN)
    for (int i = 0; i < count; i++) connect_to(&connections[i]);
  for (int i = 0; i < count; i++) begin_message(&connections[i]);
  if (kind == IDLE)
    hold(count);
  else
    measure((uint64_t)atol(argv[5]), (uint64_t)atol(argv[6]) * 1000000u, (pid_t)atoi(argv[7]));
  return 0;
}
