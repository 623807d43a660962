// SPDX-License-Identifier: Apache-2.0
// A job over several processes, one of which is killed: ./couv run examples/cluster.java
//
// Starts a server of NATS and three workers, counts primes with them, and kills a worker in the
// middle. What that had in hand is begun again by the others, and the count is right.
// Needs nats-server, which Debian has.
import module dev.couv;
import module dev.couv.cluster;

static final int WORKERS = 3;
static final int LIMIT = 3_000_000;
static final int STEP = 5_000;

/// How many primes there are below the limit, as others have counted.
static final int KNOWN = 216_816;

record Range(int from, int to) {}

static final Codec<Range> RANGE = Codec.json(Range.class);
static final Codec<Integer> COUNT = Codec.json(Integer.class);

void main(String[] args) throws Exception {
  if (args.length == 2 && args[0].equals("worker")) {
    work(args[1]);
  } else {
    demonstrate();
  }
}

/// One of the processes that work. It ends with its standard input, so with whoever started it.
void work(String url) throws Exception {
  try (var cluster = Cluster.connect(url);
      var working = cluster.work("primes", RANGE, COUNT, 2, this::count)) {
    var input = Terminal.stdin();
    while (input.read() != null) {}
  }
}

/// Computes for long, so not on the loop's thread: the others there must go on.
int count(Range range) throws Exception {
  return Loop.offload(
      () -> (int) IntStream.range(range.from, range.to).filter(each -> isPrime(each)).count());
}

static boolean isPrime(int number) {
  for (int i = 2; (long) i * i <= number; i++) {
    if (number % i == 0) return false;
  }
  return number > 1;
}

void demonstrate() throws Exception {
  var folder = Fs.makeTempDir("couv-cluster-");
  var children = new ArrayList<Child>();
  try {
    var server =
        started(
            children,
            Command.of(
                    "nats-server",
                    "--addr",
                    "127.0.0.1",
                    "--port",
                    "-1",
                    "--store_dir",
                    "" + folder)
                .stderr(Stdio.pipe()));
    var url = listening(server);
    IO.println("a server is at " + url);
    for (int i = 0; i < WORKERS; i++) {
      started(children, another("worker", url).stdin(Stdio.pipe()));
    }
    IO.println(WORKERS + " workers are " + children.stream().skip(1).map(Child::pid).toList());
    map(url, children.get(1));
  } finally {
    for (var child : children) {
      if (child.isRunning()) child.kill();
      child.await();
    }
    Fs.removeTree(folder);
  }
}

void map(String url, Child victim) throws Exception {
  var ranges =
      IntStream.range(0, LIMIT / STEP).mapToObj(i -> new Range(i * STEP, (i + 1) * STEP)).toList();
  var options = PoolOptions.DEFAULT.withAttempts(5).withSilence(Duration.ofSeconds(2));
  try (var cluster = Cluster.connect(url);
      var pool = cluster.pool("primes", RANGE, COUNT, options)) {
    var counts =
        pool.map(
            ranges,
            progress -> {
              if (progress.done() == ranges.size() / 3 && victim.isRunning()) kill(victim);
              show(progress);
            });
    int sum = counts.stream().mapToInt(each -> each).sum();
    IO.println("\nprimes below " + LIMIT + ": " + sum);
    IO.println(sum == KNOWN ? "nothing was lost" : "WRONG: there are " + KNOWN);
    if (sum != KNOWN) System.exit(1);
  }
}

static void kill(Child victim) {
  try {
    victim.kill();
    IO.println("\nkilled worker " + victim.pid());
  } catch (IOException gone) {
    IO.println("\n" + gone.getMessage());
  }
}

static void show(PoolProgress progress) {
  int width = 40;
  int full = width * progress.done() / progress.total();
  IO.print(
      "\r[%s%s] %d of %d, begun again: %d"
          .formatted(
              "#".repeat(full),
              " ".repeat(width - full),
              progress.done(),
              progress.total(),
              progress.retried()));
}

/// The server says where it listens. What it says later is dropped.
String listening(Child server) throws IOException {
  var lines = server.stderr().lines();
  for (var line : lines) {
    var at = line.indexOf("client connections on ");
    if (at >= 0) {
      Coroutine.spawn(() -> lines.forEach(each -> {}));
      return "nats://" + line.substring(at + "client connections on ".length());
    }
  }
  throw new IOException("the server did not start");
}

static Child started(List<Child> children, Command command) throws IOException {
  var child = command.start();
  children.add(child);
  return child;
}

/// This program once more, with other arguments.
static Command another(String... args) {
  var self = ProcessHandle.current().info();
  var words = new ArrayList<String>();
  words.add(self.command().orElseThrow());
  words.addAll(List.of(self.arguments().orElseThrow()));
  words.addAll(List.of(args));
  return Command.of(words);
}
