// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.world.Datagrams;
import dev.couv.world.DescriptorStreams;
import dev.couv.world.Environment;
import dev.couv.world.FileCalls;
import dev.couv.world.LocalSockets;
import dev.couv.world.LoopThreads;
import dev.couv.world.Machine;
import dev.couv.world.Processes;
import dev.couv.world.Resolver;
import dev.couv.world.Signals;
import dev.couv.world.TcpSockets;
import dev.couv.world.Watching;
import dev.couv.world.World;
import java.net.Inet6Address;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/// The world as a process of a machine in memory sees it.
public final class MemoryWorld implements World {
  static final Instant EPOCH = Instant.parse("2030-01-01T00:00:00Z");

  private final MemoryProcess process;
  private final Node node;
  private final TcpSockets tcp;
  private final LocalSockets local;
  private final DescriptorStreams streams;
  private final Resolver names;
  private final FileCalls files;
  private final Machine machine;
  private final Processes processes;

  MemoryWorld(MemoryProcess process) {
    this.process = process;
    node = process.node();
    tcp = new MemoryTcpSockets(process);
    local = new MemoryLocalSockets(process);
    streams = new MemoryDescriptorStreams(process);
    names = new MemoryNames(process);
    files = new MemoryFiles(process);
    machine = new MemoryMachine(process);
    processes = new MemoryProcesses(process);
  }

  /// A world of one machine, without a network: what happens takes no time. The directories of this machine are there, and
  /// are empty.
  public static MemoryWorld alone(long seed) {
    Network network = new Network(new AtOnce(), Routes.PERFECT, (_, _, _, _, _) -> {});
    return network.add("memory", List.of(), new Entropy(seed), true).world();
  }

  MemoryProcess process() {
    return process;
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public TcpSockets tcp() {
    return tcp;
  }

  @Override
  public LocalSockets local() {
    return local;
  }

  @Override
  public DescriptorStreams streams() {
    return streams;
  }

  @Override
  public Processes processes() {
    return processes;
  }

  @Override
  public Datagrams datagrams() {
    return (loop, _, subject) ->
        new MemoryUdp(process, loop, subject.getAddress() instanceof Inet6Address);
  }

  @Override
  public FileCalls files() {
    return files;
  }

  @Override
  public Watching watching() {
    return node.watching().of(process);
  }

  @Override
  public Machine machine() {
    return machine;
  }

  @Override
  public Signals signals() {
    return process.signals();
  }

  @Override
  public Environment environment() {
    return process.environment();
  }

  @Override
  public Resolver names() {
    return names;
  }

  @Override
  public LoopThreads threads() {
    return process.threads();
  }

  @Override
  public Executor calls(Executor threads) {
    return process.calls(threads);
  }

  /// A day that is the same in every run.
  @Override
  public Instant instant(long nanos) {
    return node.isAlone() ? World.super.instant(nanos) : EPOCH.plusNanos(nanos);
  }

  @Override
  public RandomGenerator chance() {
    return node.entropy().random();
  }

  @Override
  public String toString() {
    return "the world in memory";
  }
}
