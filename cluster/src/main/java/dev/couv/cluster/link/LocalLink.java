// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.cluster.ClusterState;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A link to the others of the same process that are on the same bus: no server, no thread, no
/// socket.
public final class LocalLink implements Link {
  private static final int LARGEST = Integer.MAX_VALUE;

  private final Bus bus;
  private final Arrivals arrivals;
  private final Directory directory = new Directory();
  private final LinkEvents events;
  private ClusterState state = ClusterState.CONNECTED;

  private LocalLink(Bus bus, Loop loop, LinkEvents events) {
    this.bus = bus;
    this.arrivals = new Arrivals(loop);
    this.events = events;
  }

  /// A link of the calling coroutine's loop to the bus of that name.
  public static LocalLink open(String name, Loop loop, LinkEvents events) {
    LocalLink link = new LocalLink(Bus.join(name), loop, events);
    link.bus.open(link.directory.inbox(), link);
    return link;
  }

  /// Something came for an address here. Any thread.
  void direct(Packet packet) {
    arrivals.add(directory::receive, packet);
  }

  @Override
  public Directory directory() {
    return directory;
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public int largest() {
    return LARGEST;
  }

  @Override
  public void send(Packet packet) throws ClusterException {
    if (state == ClusterState.CLOSED) {
      throw new ClusterException("the cluster is closed");
    }
    bus.send(packet);
  }

  @Override
  public void publish(Packet packet) throws ClusterException {
    send(packet);
    Coroutine.pause(); // receivers of the same loop have a turn
  }

  @Override
  public Hearing hear(String subject, @Nullable String group, Consumer<Packet> receiver) {
    Bus.Ear ear = new Bus.Ear(arrivals, group, receiver);
    bus.add(subject, ear);
    return new Hearing() {
      @Override
      public void end() {
        bus.remove(subject, ear);
      }

      @Override
      public void drain(Duration patience) {
        bus.remove(subject, ear); // what was sent before is in the arrivals already
        Coroutine.pause();
      }
    };
  }

  @Override
  public void flush() {
    Coroutine.pause();
  }

  @Override
  public void run(Runnable task) {
    arrivals.add(task);
  }

  @Override
  public Stock stock(StockPlan plan, Stock.Taker taker) {
    return bus.queue(plan).open(arrivals, taker);
  }

  @Override
  public Bucket bucket(BucketPlan plan) {
    return bus.bucket(plan).seenBy(arrivals);
  }

  @Override
  public Vault vault(String name, int replicas) {
    return new LocalVault(bus.vault(name));
  }

  @Override
  public void close(Duration grace) {
    if (state != ClusterState.CLOSED) {
      state = ClusterState.CLOSED;
      bus.shut(directory.inbox());
      arrivals.close();
      bus.leave();
      events.changed(state);
    }
  }
}
