// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A machine in memory: its addresses, its ports, and what runs on it.
///
/// It runs one program of its own, and the [processes][MemoryProcess] that this one starts. When the machine crashes, whatever
/// they have open is cut off from everything, and the next life begins with nothing but the disk.
public final class Node {
  static final List<InetAddress> LOOPBACKS =
      List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));

  private static final long FIRST_PID = 100;
  private static final Path PROGRAMS = Path.of("/bin");

  private final Network network;
  private final String name;
  private final List<InetAddress> addresses;
  private final int index;
  private final Entropy entropy;

  private int life;
  private boolean up = true;
  private final Ports<MemoryTcpListener> listeners = new Ports<>();
  private final Ports<MemoryUdp> datagrams = new Ports<>();
  private final Map<String, MemoryLocalListener> localListeners = new LinkedHashMap<>();
  private final Set<End> ends = new LinkedHashSet<>();
  private final MemoryWatching watching = new MemoryWatching(this);
  private final Disk disk;
  private final Tree tree;
  private final boolean shadows;

  /// What runs there, by its number.
  private final Map<Long, MemoryProcess> processes = new LinkedHashMap<>();

  /// What can be started there, by its file.
  private final Map<Path, Runner.Main> programs = new LinkedHashMap<>();

  private long lastPid = FIRST_PID - 1;

  /// What the machine itself runs, or has run last.
  private MemoryProcess program;

  private Runnable kill = () -> {};
  private BiConsumer<String, String> history = (_, _) -> {};
  private @Nullable Runner runner;
  private @Nullable EventLoop loop;
  private @Nullable Thread thread;

  Node(
      Network network,
      String name,
      List<InetAddress> addresses,
      int index,
      Entropy entropy,
      boolean shadows) {
    this.network = network;
    this.name = name;
    this.addresses = List.copyOf(addresses);
    this.index = index;
    this.entropy = entropy;
    disk = new Disk(entropy.split(), !isAlone(), this::instant);
    tree = new Tree(disk, shadows, watching);
    this.shadows = shadows;
    program = born();
  }

  /// A life of the machine's own program.
  private MemoryProcess born() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("HOSTNAME", name);
    variables.put("HOME", "/");
    variables.put("PATH", PROGRAMS.toString());
    return add(
        new MemoryProcess.Birth(
            List.of("java"),
            PROGRAMS.resolve("java"),
            null,
            true,
            shadows ? Path.of("").toAbsolutePath() : Path.of("/"),
            variables));
  }

  // ---- what it is

  public Network network() {
    return network;
  }

  public String name() {
    return name;
  }

  public List<InetAddress> addresses() {
    return addresses;
  }

  /// Which of the network's it is.
  public int index() {
    return index;
  }

  public Entropy entropy() {
    return entropy;
  }

  /// Whether it has the machine's own time: there is no network whose time it could have.
  boolean isAlone() {
    return network.agenda() instanceof AtOnce;
  }

  /// The day and hour, as the world has it.
  Instant instant() {
    return isAlone() ? Instant.now() : MemoryWorld.EPOCH.plusNanos(network.agenda().now());
  }

  public Disk disk() {
    return disk;
  }

  Tree tree() {
    return tree;
  }

  MemoryWatching watching() {
    return watching;
  }

  // ---- what runs there

  /// What the machine itself runs.
  MemoryProcess program() {
    return program;
  }

  /// What ends the machine's own program, when a signal does.
  public void whenKilled(Runnable newKill) {
    kill = newKill;
  }

  void killed() {
    kill.run();
  }

  /// A signal comes to the machine's own program, by its name.
  public void signal(String signal) {
    program.signals().arrived(signal);
  }

  /// Who runs the processes that others start there.
  public void runner(Runner newRunner) {
    runner = newRunner;
  }

  /// @throws UnsupportedOperationException if nobody does
  Runner runner() {
    if (runner == null) {
      throw new UnsupportedOperationException(
          "a world in memory has one loop, and no child processes: a simulation has both");
    }
    return runner;
  }

  /// Is told of processes: what happened, and to which.
  public void history(BiConsumer<String, String> newHistory) {
    history = newHistory;
  }

  void history(String what, String process) {
    history.accept(what, process);
  }

  /// What can be started there: by its name, which is looked for in `/bin`, or by an absolute path.
  ///
  /// @throws IllegalArgumentException if it can be neither, or there is one
  public void program(String called, Runner.Main main) {
    checkProgram(called);
    if (programs.putIfAbsent(PROGRAMS.resolve(called).normalize(), main) != null) {
      throw new IllegalArgumentException("there is a program " + called + " already");
    }
  }

  /// Throws unless that can be what a program is called.
  ///
  /// @throws IllegalArgumentException if it is neither a name nor an absolute path
  public static void checkProgram(String called) {
    boolean isName = !called.isEmpty() && called.indexOf('/') < 0;
    if (!isName && !Path.of(called).isAbsolute()) {
      throw new IllegalArgumentException(
          "a program has a name or an absolute path, not '" + called + "'");
    }
  }

  /// What is started by that file; null if it is no program.
  Runner.@Nullable Main program(Path file) {
    return programs.get(file.normalize());
  }

  /// A process more. It does not run yet.
  MemoryProcess add(MemoryProcess.Birth birth) {
    MemoryProcess process = new MemoryProcess(this, ++lastPid, birth);
    processes.put(process.pid(), process);
    return process;
  }

  void gone(MemoryProcess process) {
    processes.remove(process.pid());
  }

  @Nullable MemoryProcess process(long pid) {
    return processes.get(pid);
  }

  /// Those of a group, in the order they came.
  List<MemoryProcess> group(long group) {
    return processes.values().stream().filter(each -> each.group() == group).toList();
  }

  // ---- what is found there

  Ports<MemoryTcpListener> listeners() {
    return listeners;
  }

  Ports<MemoryUdp> datagrams() {
    return datagrams;
  }

  Set<End> ends() {
    return ends;
  }

  Map<String, MemoryLocalListener> localListeners() {
    return localListeners;
  }

  // ---- its lives

  /// How often it has lost its power.
  int life() {
    return life;
  }

  boolean isUp() {
    return up;
  }

  /// Everything that runs there ends, and no other machine is told. Until [#boot] nothing answers here.
  public void crash() {
    life++;
    up = false;
    List.copyOf(processes.values()).forEach(MemoryProcess::crash);
    processes.clear();
    listeners.clear();
    datagrams.clear();
    localListeners.clear();
    ends.clear();
    disk.crash();
    loop = null;
  }

  /// The machine's own program begins, and has a world of its own. Others that were started there go on.
  public MemoryProcess boot() {
    up = true;
    if (program.isOver()) {
      program = born();
    }
    return program;
  }

  /// The world as the machine's own program sees it.
  MemoryWorld world() {
    return program.world();
  }

  // ---- its thread

  /// A loop that runs here, for what is to be told in time; null if there was none.
  @Nullable EventLoop loop() {
    return loop;
  }

  /// That loop uses this machine.
  ///
  /// @throws UnsupportedOperationException if it is of another thread than those that did before
  void enter(EventLoop entering) {
    Thread here = entering.thread();
    if (thread != null && here != thread && loop != null) {
      throw new UnsupportedOperationException(
          "a world in memory has one thread: a loop of another cannot use it");
    }
    thread = here;
    loop = entering;
  }

  /// That loop uses it no more, and this one may.
  void left(EventLoop ended, @Nullable EventLoop next) {
    if (loop == ended) {
      loop = next;
    }
  }

  // ---- its addresses

  /// Whether it may listen there.
  boolean has(InetAddress address) {
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || addresses.contains(address);
  }

  /// The address that it has towards that one.
  InetAddress towards(InetAddress to) {
    boolean v6 = to instanceof Inet6Address;
    if (to.isLoopbackAddress() || to.isAnyLocalAddress()) {
      return LOOPBACKS.get(v6 ? 1 : 0);
    }
    for (InetAddress own : addresses) {
      if (own instanceof Inet6Address == v6) {
        return own;
      }
    }
    return LOOPBACKS.get(v6 ? 1 : 0);
  }

  /// Where something that listens at `at` is found by who comes to `to`.
  static boolean covers(InetSocketAddress at, boolean v6Only, InetAddress to) {
    InetAddress here = at.getAddress();
    if (here.isAnyLocalAddress()) {
      return here instanceof Inet6Address
          ? !v6Only || to instanceof Inet6Address
          : to instanceof Inet4Address;
    }
    return here.equals(to);
  }

  @Override
  public String toString() {
    return name;
  }
}
