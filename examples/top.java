// SPDX-License-Identifier: Apache-2.0
// What the machine is doing, drawn anew every second and when the window changes, until q:
//
//   ./couv run examples/top.java [--once | --count N]
import module dev.couv;

List<CpuInfo> before = List.of();

void main(String[] arguments) throws Exception {
  var options = List.of(arguments);
  int count = options.contains("--once") ? 1 : Integer.MAX_VALUE;
  if (options.contains("--count")) {
    count = Integer.parseInt(options.get(options.indexOf("--count") + 1));
  }
  var keys = Terminal.stdin();
  var screen = Terminal.stdout();
  var waitFor = new ArrayList<Awaitable<?>>();
  if (keys.isTerminal()) {
    keys.mode(TerminalMode.RAW);
    waitFor.add(Coroutine.spawn(() -> readUntilQuit(keys)));
  }
  if (screen.isTerminal()) waitFor.add(screen.onResize());

  before = Info.cpus();
  for (int i = 0; i < count; i++) {
    var events = new ArrayList<>(waitFor);
    events.add(Time.after(Duration.ofSeconds(1)));
    var first = Await.select(events.toArray(Awaitable<?>[]::new));
    if (first.source() instanceof Coroutine<?>) break;
    var size = screen.isTerminal() ? screen.size() : new TerminalSize(0, 0);
    if (size.rows() == 0) size = new TerminalSize(80, 24); // it does not know
    var lines = lines(Math.max(size.columns(), 40));
    var shown = lines.subList(0, Math.min(lines.size(), Math.max(size.rows() - 1, 1)));
    write(screen, screen.isTerminal() ? "\u001b[H\u001b[J" : "");
    write(screen, String.join("\n", shown) + "\n");
  }
  for (var left : waitFor) {
    if (left instanceof Coroutine<?> reader) reader.cancel();
  }
}

void readUntilQuit(Terminal keys) throws Exception {
  for (ByteBuffer key; (key = keys.read()) != null; ) {
    var text = StandardCharsets.US_ASCII.decode(key).toString();
    if (text.contains("q") || text.contains("\u0003")) return;
  }
}

List<String> lines(int width) throws Exception {
  var lines = new ArrayList<String>();
  var load = Info.load();
  lines.add("%s, up %d min".formatted(Info.hostName(), Info.uptime().toMinutes()));
  lines.add(
      "load %.2f %.2f %.2f".formatted(load.oneMinute(), load.fiveMinutes(), load.fifteenMinutes()));
  var memory = Info.memory();
  double used = 1 - (double) memory.freeBytes() / memory.totalBytes();
  lines.add(bar("memory", used, width));
  var now = Info.cpus();
  for (int i = 0; i < now.size(); i++) {
    long idle = now.get(i).idleTime().minus(before.get(i).idleTime()).toMillis();
    long all = Math.max(1, total(now.get(i)).minus(total(before.get(i))).toMillis());
    lines.add(bar("cpu " + i, 1 - (double) idle / all, width));
  }
  before = now;
  return lines;
}

Duration total(CpuInfo cpu) {
  return cpu.userTime()
      .plus(cpu.niceTime())
      .plus(cpu.systemTime())
      .plus(cpu.idleTime())
      .plus(cpu.interruptTime());
}

String bar(String name, double part, int width) {
  int room = width - 16;
  int full = (int) Math.round(Math.clamp(part, 0, 1) * room);
  return "%-8s %s%s %4.0f%%".formatted(name, "#".repeat(full), ".".repeat(room - full), part * 100);
}

void write(Terminal screen, String text) throws Exception {
  screen.write(StandardCharsets.UTF_8.encode(text));
}
