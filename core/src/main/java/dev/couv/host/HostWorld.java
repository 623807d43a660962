// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.world.Datagrams;
import dev.couv.world.DescriptorStreams;
import dev.couv.world.Environment;
import dev.couv.world.FileCalls;
import dev.couv.world.ForeignDescriptors;
import dev.couv.world.LocalSockets;
import dev.couv.world.Machine;
import dev.couv.world.Processes;
import dev.couv.world.Resolver;
import dev.couv.world.Signals;
import dev.couv.world.TcpSockets;
import dev.couv.world.Watching;
import dev.couv.world.World;

/// The world of the machine this runs on.
public final class HostWorld implements World {
  /// There is one.
  public static final HostWorld INSTANCE = new HostWorld();

  private final TcpSockets tcp = new HostTcpSockets();
  private final LocalSockets local = new HostLocalSockets();
  private final DescriptorStreams streams = new HostDescriptorStreams();
  private final Resolver names = new HostResolver();
  private final Machine machine = new HostMachine();
  private final FileCalls files = new HostFiles();
  private final Watching watching = new HostWatching();

  private HostWorld() {}

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
  public Datagrams datagrams() {
    return HostUdp::open;
  }

  @Override
  public Resolver names() {
    return names;
  }

  @Override
  public ForeignDescriptors descriptors() {
    return SharedPoll::hold;
  }

  @Override
  public Machine machine() {
    return machine;
  }

  @Override
  public FileCalls files() {
    return files;
  }

  @Override
  public Watching watching() {
    return watching;
  }

  @Override
  public Processes processes() {
    return HostLaunch::prepare;
  }

  @Override
  public Signals signals() {
    return HostSignals.INSTANCE;
  }

  @Override
  public Environment environment() {
    return HostEnvironment.INSTANCE;
  }
}
