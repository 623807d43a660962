// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.strand.Suspension;
import dev.couv.world.Machine;
import dev.couv.world.Request;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a machine in memory tells of itself: one processor that is never busy, a gigabyte of memory, and random bytes of its
/// seed.
final class MemoryMachine implements Machine {
  private static final long GIGABYTE = 1L << 30;

  private final MemoryProcess process;
  private final Node node;
  private String title = "couv";

  MemoryMachine(MemoryProcess process) {
    this.process = process;
    node = process.node();
  }

  @Override
  public <T> List<T> cpus(Cpu<T> as) {
    Duration none = Duration.ZERO;
    return List.of(as.of("in memory", 1000, none, none, none, uptime(), none));
  }

  @Override
  public int parallelism() {
    return 1;
  }

  @Override
  public <T> T memory(MemoryUse<T> as) {
    return as.of(GIGABYTE, GIGABYTE / 2, GIGABYTE, GIGABYTE / 4);
  }

  @Override
  public <T> T load(Load<T> as) {
    return as.of(0, 0, 0);
  }

  @Override
  public Duration uptime() {
    return Duration.ofNanos(node.network().agenda().now());
  }

  @Override
  public String hostName() {
    return node.name();
  }

  @Override
  public int priority(long pid) throws IOException {
    return find(pid, "get the priority of").nice();
  }

  @Override
  public void setPriority(long pid, int nice) throws IOException {
    find(pid, "set the priority of").nice(nice);
  }

  private MemoryProcess find(long pid, String call) throws IOException {
    MemoryProcess found = node.process(pid);
    if (found == null) {
      throw Failures.named("ESRCH", call, "process " + pid);
    }
    return found;
  }

  @Override
  public <T> T os(Os<T> as) {
    return as.of("Memory", "1", "a simulated world", "java");
  }

  @Override
  public <T> List<T> links(Link<T> as) {
    List<Byte> hardware = List.of((byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
    List<T> links = new ArrayList<>();
    for (InetAddress address : Node.LOOPBACKS) {
      links.add(as.of("lo", address, address instanceof Inet6Address ? 128 : 8, hardware, true));
    }
    for (InetAddress address : node.addresses()) {
      links.add(as.of("net", address, 8, hardware, false));
    }
    return links;
  }

  @Override
  public <T> T usage(Usage<T> as) {
    return as.of(Duration.ZERO, Duration.ZERO, GIGABYTE / 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public <T> T user(User<T> as) {
    return as.of("couv", 1000, 1000, "/bin/sh", homeDir());
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public long parentPid() {
    return process.parentPid();
  }

  @Override
  public Path executable() {
    return process.file();
  }

  @Override
  public Path homeDir() {
    return Path.of("/");
  }

  @Override
  public Path tempDir() {
    return Path.of("/tmp");
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public void title(String name) {
    title = name;
  }

  @Override
  public Request<byte[]> random(int length) {
    EventLoop loop = Suspension.loop("Info.random");
    return new Answer<>(loop, "random bytes") {
      @Override
      void ask() {
        process.enter(loop());
        node.network().agenda().soon(node, this::answered);
      }

      @Override
      byte[] answer() {
        return node.entropy().bytes(length);
      }
    };
  }

  @Override
  public void randomNow(ByteBuffer into) {
    into.put(node.entropy().bytes(into.remaining()));
  }
}
