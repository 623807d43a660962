// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Link;
import dev.couv.cluster.link.LinkEvents;
import dev.couv.cluster.link.Packet;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Emitter;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.time.Time;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// This process as a member of a cluster: its link, and the parts that use it. Confined to the
/// loop.
final class Peer implements LinkEvents {
  static final Logger LOG = System.getLogger("dev.couv.cluster");

  private static final Duration PULSE = Duration.ofMillis(200);

  /// What a message has more than its value, at most: headers, words of ours, the address of whoever waits.
  private static final int OVERHEAD = 1024;

  private final Loop loop = Loop.current();
  private final ClusterOptions options;
  private final Subjects subjects;
  private final Set<Part> parts = new LinkedHashSet<>();
  private final Emitter<ClusterState> states = new Emitter<>();

  private @Nullable Link link;
  private boolean closed;

  /// Runs while a part is busy.
  private @Nullable Coroutine<?> pulse;

  Peer(ClusterOptions options) {
    if (loop.options().time().isVirtual()) {
      throw new UnsupportedOperationException(
          "there are no clusters where time is virtual, under a TestClock or in a simulation: what"
              + " is between their processes is not of this loop");
    }
    this.options = options;
    this.subjects = new Subjects(options.space());
  }

  Loop loop() {
    return loop;
  }

  ClusterOptions options() {
    return options;
  }

  Subjects subjects() {
    return subjects;
  }

  Emitter<ClusterState> states() {
    return states;
  }

  void linked(Link newLink) {
    link = newLink;
    newLink.directory().otherwise(this::cameForNobody);
  }

  /// Whoever gives a value, or works on a task, is told that nobody is there for it any more: else the one would have
  /// to wait, and the other work in vain.
  private void cameForNobody(Packet packet) {
    Frame frame = packet.status() == 0 ? Frame.read(packet.data()) : null;
    String from = packet.reply();
    if (frame != null && from != null && Subjects.isInbox(from)) {
      switch (frame.word()) {
        case VALUE -> say(from, Frame.of(Frame.Word.REFUSED), null);
        case WORKING -> say(from, Frame.of(Frame.Word.CANCEL), null);
        default -> {}
      }
    }
  }

  /// First of all in whatever changes something, also of a closed cluster.
  void checkHere() {
    if (Loop.current() != loop) {
      throw new IllegalStateException("a cluster belongs to the loop that connected it");
    }
  }

  /// Of an open cluster, used on its loop.
  Link link() {
    checkHere();
    if (closed) {
      throw closedError();
    }
    return knownLink();
  }

  /// Also of a closed one.
  Link knownLink() {
    if (link == null) {
      throw new AssertionError("used before it was connected");
    }
    return link;
  }

  /// Sends it, if there is a way now. False if there is none: whoever it was for finds out by the time that passes.
  boolean say(String to, byte[] frame, @Nullable String reply) {
    try {
      knownLink().send(Packet.of(to, reply, frame));
      return true;
    } catch (ClusterException notSent) {
      LOG.log(Level.DEBUG, "not sent to " + to, notSent);
      return false;
    }
  }

  static ClosedException closedError() {
    return new ClosedException("the cluster is closed");
  }

  boolean isClosed() {
    return closed;
  }

  /// How many bytes a value may have here.
  int largest() {
    return Math.min(options.largestValue(), room());
  }

  /// How many bytes fit into a message, whatever values may have.
  int room() {
    return Math.max(knownLink().largest() - OVERHEAD, 1);
  }

  <T> Coding<T> coding(Codec<T> codec, String kind, String name) {
    return new Coding<>(codec, kind + " \"" + name + '"', largest());
  }

  // ---- its parts

  void add(Part part) {
    parts.add(part);
  }

  void remove(Part part) {
    parts.remove(part);
  }

  /// A part has become busy.
  void wake() {
    if (pulse == null && !closed) {
      pulse = loop.spawn(this::beat).named("pulse of a cluster");
    }
  }

  private void beat() {
    try {
      while (parts.stream().anyMatch(Part::isBusy)) {
        Time.sleep(PULSE);
        each(Part::tick);
      }
    } finally {
      pulse = null;
    }
  }

  private interface Told {
    void tell(Part part);
  }

  private void each(Told told) {
    for (Part part : List.copyOf(parts)) {
      try {
        told.tell(part);
      } catch (RuntimeException wrong) {
        LOG.log(Level.ERROR, "a part of the cluster", wrong);
      }
    }
  }

  @Override
  public void changed(ClusterState state) {
    switch (state) {
      case CONNECTED -> each(Part::reconnected);
      case CLOSED -> {
        if (!closed) {
          end(new ClusterException("the connection to the cluster is lost for good"));
        }
      }
      case RECONNECTING, DRAINING -> {}
    }
    loop.spawn(() -> tell(state)).named("state of a cluster");
  }

  @Override
  public void dropped() {
    each(Part::dropped);
  }

  private void tell(ClusterState state) {
    try {
      if (!states.isClosed()) {
        states.fire(state, null);
      }
      if (state == ClusterState.CLOSED) {
        states.close();
      }
    } catch (Exception wrong) {
      LOG.log(Level.ERROR, "who was told that a cluster is " + state, wrong);
    }
  }

  /// Brings to its end what is under way. Waits.
  void finish() {
    for (Part part : List.copyOf(parts)) {
      try {
        part.finish();
      } catch (Exception early) {
        LOG.log(Level.DEBUG, "a part of the cluster ended early", early);
      }
    }
  }

  /// Nothing can be asked of it any more.
  void end(@Nullable Throwable reason) {
    closed = true;
    each(part -> part.lost(reason));
    parts.clear();
    for (Consumer<Packet> each : knownLink().directory().receivers()) {
      if (each instanceof Asked asked) {
        asked.lost(reason);
      }
    }
    if (pulse != null) {
      pulse.cancel("the cluster is closed");
    }
  }
}
