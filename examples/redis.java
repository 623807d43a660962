// SPDX-License-Identifier: Apache-2.0
// A server that speaks the protocol of Redis: ./couv run examples/redis.java [PORT]
//
//   redis-cli -p PORT
//   redis-benchmark -p PORT -t get,set,incr -P 16
//
// One loop runs all connections, so each command is done before the next: no lock anywhere.
import module dev.couv;

final Map<Entry, Entry> data = new HashMap<>();

/// A key and what it has, until `end` by the loop's clock, if there is one. It is found by another that has the same key, and nothing else.
class Entry {
  final byte[] key;
  byte[] value = {};
  Long end;

  Entry(byte[] key) {
    this.key = key;
  }

  boolean isOver() {
    return end != null && Time.nanos() - end >= 0;
  }

  /// Over the old value, if that has as many bytes: so the collector finds nothing new in what is old.
  void set(byte[] newValue, Long newEnd) {
    if (newValue.length == value.length) System.arraycopy(newValue, 0, value, 0, value.length);
    else value = newValue;
    end = newEnd;
  }

  public boolean equals(Object other) {
    return other instanceof Entry entry && Arrays.equals(entry.key, key);
  }

  public int hashCode() {
    return Arrays.hashCode(key);
  }
}

/// A request is an array of strings, each with its length before it, or a line of words as people type them.
class Requests implements Framer<List<byte[]>> {
  public List<byte[]> decode(ByteReader in) throws IOException {
    if (in.peek() != '*') {
      var words = Stream.of(in.limit(1 << 16).readLine().split("\\s+"));
      in.limit(513 << 20);
      return words.filter(word -> !word.isEmpty()).map(String::getBytes).toList();
    }
    int count = length(in, '*', 1 << 20);
    var words = new ArrayList<byte[]>(Math.min(count, 16));
    for (int i = 0; i < count; i++) {
      words.add(in.readBytes(length(in, '$', 512 << 20)));
      if (in.readShort() != ('\r' << 8 | '\n')) throw new ProtocolException("expected CRLF");
    }
    return words;
  }

  /// A line that has a number behind that sign.
  int length(ByteReader in, char sign, int most) throws IOException {
    if (in.readByte() != sign) throw new ProtocolException("expected '" + sign + "'");
    long length = in.readDecimalLine();
    if (length < 0 || length > most) throw new ProtocolException("invalid length");
    return (int) length;
  }

  public void encode(List<byte[]> words, ByteWriter out) throws IOException {
    line('*', words.size(), out);
    for (byte[] word : words) bulk(word, out);
  }
}

void main(String[] args) throws Exception {
  if (args.length > 1 || (args.length == 1 && !args[0].matches("\\d{1,5}"))) {
    System.err.println("usage: redis.java [PORT]");
    System.exit(2);
  }
  int port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
  try (var server = Tcp.listen(new InetSocketAddress("127.0.0.1", port))) {
    IO.println("listening at 127.0.0.1:" + server.local().getPort() + ", Ctrl-C ends it");
    Coroutine.spawn(this::sweep);
    server.serve(this::serve);
  }
}

/// What has ended is not answered any more; here the memory is taken back.
void sweep() throws Exception {
  while (true) {
    Time.sleep(Duration.ofSeconds(10));
    data.values().removeIf(Entry::isOver);
  }
}

/// One client. What is written leaves when all that came together was answered: a pipeline costs one system call each way.
void serve(TcpStream peer) throws IOException {
  try (var requests = Framed.open(peer, new Requests()).limit(513 << 20)) {
    try {
      for (List<byte[]> words; (words = requests.read()) != null; ) {
        if (!words.isEmpty()) answer(words, requests.writer());
      }
    } catch (ProtocolException | FrameTooLongException wrong) {
      error("Protocol error: " + wrong.getMessage(), requests.writer());
    }
  }
}

/// How many arguments commands take that take neither more nor less.
static final Map<String, Integer> ARGUMENTS =
    Map.of("GET", 1, "SET", 2, "PSETEX", 3, "INCR", 1, "INCRBY", 2, "ECHO", 1, "CONFIG", 2);

void answer(List<byte[]> words, ByteWriter out) throws IOException {
  var name = new String(words.getFirst()).toUpperCase(Locale.ROOT);
  var given = words.subList(1, words.size());
  if (ARGUMENTS.getOrDefault(name, given.size()) != given.size()) {
    error("wrong number of arguments for '" + name.toLowerCase(Locale.ROOT) + "' command", out);
    return;
  }
  try {
    switch (name) {
      case "GET" -> bulk(find(given.get(0)) instanceof Entry found ? found.value : null, out);
      case "SET" -> out.write(put(given.get(0), given.get(1), null));
      case "PSETEX" -> out.write(put(given.get(0), given.get(2), end(number(given.get(1)))));
      case "DEL" -> line(':', given.stream().filter(this::remove).count(), out);
      case "EXISTS" -> line(':', given.stream().filter(key -> find(key) != null).count(), out);
      case "INCR" -> add(given.get(0), 1, out);
      case "INCRBY" -> add(given.get(0), number(given.get(1)), out);
      case "DBSIZE" -> line(':', data.size(), out);
      case "FLUSHALL" -> {
        data.clear();
        out.write(OK);
      }
      case "PING" -> out.write("+PONG\r\n");
      case "ECHO" -> bulk(given.get(0), out);
      // What clients ask for when they begin: nothing is configured.
      case "COMMAND" -> out.write("*0\r\n");
      case "CONFIG" -> new Requests().encode(List.of(given.get(1), new byte[0]), out);
      case "CLIENT", "SELECT" -> out.write(OK);
      default -> error("unknown command '" + name + "'", out);
    }
  } catch (IllegalArgumentException | ArithmeticException wrong) {
    error(wrong.getMessage(), out);
  }
}

Entry find(byte[] key) {
  var entry = data.get(new Entry(key));
  return entry == null || entry.isOver() ? null : entry;
}

byte[] put(byte[] key, byte[] value, Long end) {
  data.computeIfAbsent(new Entry(key), entry -> entry).set(value, end);
  return OK;
}

boolean remove(byte[] key) {
  var old = data.remove(new Entry(key));
  return old != null && !old.isOver();
}

void add(byte[] key, long delta, ByteWriter out) throws IOException {
  var old = find(key);
  long sum = Math.addExact(old == null ? 0 : number(old.value), delta);
  put(key, Long.toString(sum).getBytes(), old == null ? null : old.end);
  line(':', sum, out);
}

static Long end(long millis) {
  if (millis <= 0) throw new IllegalArgumentException("invalid expire time");
  return Math.addExact(Time.nanos(), Math.multiplyExact(millis, 1_000_000));
}

static long number(byte[] text) {
  try {
    return Long.parseLong(new String(text));
  } catch (NumberFormatException e) {
    throw new IllegalArgumentException("value is not an integer or out of range");
  }
}

// ---- answers

static final byte[] OK = "+OK\r\n".getBytes();
static final byte[] CRLF = "\r\n".getBytes();

static void line(char sign, long number, ByteWriter out) throws IOException {
  out.writeByte(sign);
  out.writeDecimal(number);
  out.write(CRLF);
}

static void bulk(byte[] value, ByteWriter out) throws IOException {
  line('$', value == null ? -1 : value.length, out);
  if (value != null) out.write(value);
  if (value != null) out.write(CRLF);
}

static void error(String message, ByteWriter out) throws IOException {
  out.write("-ERR " + message.replaceAll("[\r\n]", " ") + "\r\n");
}
