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
static final int STEP = 10_000;

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

/// One of the processes that work. It ends with its standard input, so with whoever started it, and
/// tells on its standard output of each range that it begins.
void work(String url) throws Exception {
  try (var cluster = Cluster.connect(url);
      var working = cluster.work("primes", RANGE, COUNT, 2, this::count)) {
    var input = Terminal.stdin();
    while (input.read() != null) {}
  }
}

/// Computes for long, so not on the loop's thread: the others there must go on.
int count(Range range) throws Exception {
  IO.println("begun " + range.from);
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
    var workers = new ArrayList<Child>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(
          started(children, another("worker", url).stdin(Stdio.pipe()).stdout(Stdio.pipe())));
    }
    IO.println(WORKERS + " workers are " + workers.stream().map(Child::pid).toList());
    map(url, workers);
  } finally {
    for (var child : children) {
      if (child.isRunning()) child.kill();
      child.await();
    }
    Fs.removeTree(folder);
  }
}

void map(String url, List<Child> workers) throws Exception {
  var ranges =
      IntStream.range(0, LIMIT / STEP).mapToObj(i -> new Range(i * STEP, (i + 1) * STEP)).toList();
  var options = PoolOptions.DEFAULT.withAttempts(5).withSilence(Duration.ofSeconds(2));
  var due = new AtomicBoolean();
  for (var worker : workers) Coroutine.spawn(() -> follow(worker, due));
  var onTerminal = Terminal.stdout().isTerminal();
  try (var cluster = Cluster.connect(url);
      var pool = cluster.pool("primes", RANGE, COUNT, options)) {
    var counts =
        pool.map(
            ranges,
            progress -> {
              if (progress.done() == ranges.size() / 3 && progress.retried() == 0) due.set(true);
              show(progress, onTerminal);
            });
    int sum = counts.stream().mapToInt(each -> each).sum();
    IO.println((onTerminal ? "\n" : "") + "primes below " + LIMIT + ": " + sum);
    IO.println(sum == KNOWN ? "nothing was lost" : "WRONG: there are " + KNOWN);
    if (sum != KNOWN) System.exit(1);
  }
}

/// Hears of what the worker begins. If one is to be killed, it is the first that tells so: it has
/// something in hand.
static void follow(Child worker, AtomicBoolean due) throws IOException {
  for (var line : worker.stdout().lines()) {
    if (due.compareAndSet(true, false)) {
      worker.kill();
      IO.println("\nkilled worker " + worker.pid() + ", which had " + line);
    }
  }
}

/// How many were done when a line was last shown.
int shown;

/// On a terminal all the time, in one line; else a line for each tenth.
void show(PoolProgress progress, boolean onTerminal) {
  int width = 40;
  int full = width * progress.done() / progress.total();
  var line =
      "[%s%s] %d of %d, begun again: %d"
          .formatted(
              "#".repeat(full),
              " ".repeat(width - full),
              progress.done(),
              progress.total(),
              progress.retried());
  if (onTerminal) {
    IO.print("\r" + line);
  } else if (progress.done() >= shown + progress.total() / 10) {
    shown = progress.done();
    IO.println(line);
  }
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
