// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Link;
import dev.couv.cluster.link.Packet;
import dev.couv.coro.Await;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.time.Time;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A name that this process serves, with others perhaps, until it is closed.
public final class Served implements AutoCloseable {
  private static final String GROUP = "servers";

  /// More are not begun at a time: the caller is told that this one is busy.
  private static final int MOST = 10_000;

  /// So many calls are remembered that were given up.
  private static final int REMEMBERED = 1_000;

  /// Digits of a limit of time: thirty years of milliseconds.
  private static final int LONGEST_LIMIT = 12;

  private final Peer peer;
  private final String title;
  private final Scope scope = Scope.apart();
  private final Map<String, Begun> running = new HashMap<>();

  /// Calls that were given up and are not worked on here: others have them, or they are still to
  /// come, because a call and the word that ends it come on two ways.
  private final Set<String> givenUp = new LinkedHashSet<>();

  private final Part part = new Ended();
  private Link.@Nullable Hearing calls;
  private Link.@Nullable Hearing cancels;
  private boolean closed;

  /// A call that is worked on, and until when its caller waits for it.
  ///
  /// @param limit if its caller has one, else 0: on the clock of the system, never 0 then
  private record Begun(Coroutine<?> work, long limit) {}

  private Served(Peer peer, String title) {
    this.peer = peer;
    this.title = title;
  }

  static <I, O> Served open(
      Peer peer, String name, Coding<I> input, Coding<O> output, CallHandler<I, O> handler)
      throws Exception {
    Link link = peer.link();
    Served served = new Served(peer, "serving \"" + name + '"');
    peer.add(served.part);
    try {
      served.cancels = link.hear(peer.subjects().of("cancel", name), null, served::cancelled);
      served.calls =
          link.hear(
              peer.subjects().of("call", name),
              GROUP,
              packet -> served.called(packet, input, output, handler));
      link.flush();
    } catch (Throwable failed) {
      served.close();
      throw failed;
    }
    return served;
  }

  // ---- calls

  private <I, O> void called(
      Packet packet, Coding<I> input, Coding<O> output, CallHandler<I, O> handler) {
    String caller = packet.reply();
    if (caller == null || !Subjects.isInbox(caller) || closed || running.containsKey(caller)) {
      return; // nobody to answer, or answered already
    }
    if (givenUp.remove(caller)) {
      return; // nobody waits any more
    }
    if (running.size() >= MOST) {
      answer(caller, new IllegalStateException(title + " is busy with " + MOST + " calls"));
      return;
    }
    Coroutine<?> work =
        scope.spawn(() -> work(packet, caller, input, output, handler)).named(title);
    running.put(caller, new Begun(work, limit(packet)));
    work.onEnd((nothing, thrown) -> running.remove(caller));
    peer.wake();
  }

  private static long limit(Packet packet) {
    long millis = millis(packet.headers().get(Call.TIMEOUT));
    // Not one of ours, or the one moment that means none.
    return millis < 0 ? 0 : (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis)) | 1;
  }

  private <I, O> void work(
      Packet packet, String caller, Coding<I> input, Coding<O> output, CallHandler<I, O> handler) {
    try {
      I value = input.decode(packet.data());
      byte[] result = output.encode(handler.handle(value));
      peer.link().publish(Packet.of(caller, null, result));
    } catch (Cancelled nobodyWaits) {
      Peer.LOG.log(Level.DEBUG, title + ": a call was cancelled");
      if (closed) {
        answer(caller, new IllegalStateException(title + " has ended"));
      }
    } catch (Throwable failed) {
      answer(caller, failed);
    }
  }

  /// A number of up to twelve digits, or -1.
  private static long millis(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > LONGEST_LIMIT) {
      return -1;
    }
    long millis = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      millis = millis * 10 + digit;
    }
    return millis;
  }

  private void answer(String caller, Throwable failure) {
    try {
      byte[] told = Thrown.encode(failure, peer.room());
      peer.knownLink().send(Packet.of(caller, null, Map.of(Call.FAILURE, "1"), told));
    } catch (ClusterException notTold) {
      Peer.LOG.log(Level.DEBUG, title + ": a caller was not told", notTold);
    }
  }

  private void cancelled(Packet packet) {
    String caller = new String(packet.data(), StandardCharsets.US_ASCII);
    Begun begun = running.get(caller);
    if (begun != null) {
      begun.work.cancel("the caller does not wait any more");
    } else if (Subjects.isInbox(caller) && givenUp.add(caller) && givenUp.size() > REMEMBERED) {
      givenUp.remove(givenUp.iterator().next());
    }
  }

  /// How many calls it works on now.
  public int running() {
    return running.size();
  }

  // ---- the end

  /// Takes no more, and waits for those it works on, for as long as the cluster's grace; then they
  /// are cancelled, and their callers told. Does nothing the second time.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    peer.checkHere();
    try {
      Coroutine.protect(this::end);
    } catch (Exception early) {
      Peer.LOG.log(Level.DEBUG, title + " ended early", early);
    }
  }

  private void end() throws Exception {
    Duration grace = peer.options().grace();
    try {
      if (calls != null && !peer.isClosed()) {
        calls.drain(grace);
        peer.link().flush();
      }
      Time.timeout(grace, this::awaitRunning);
    } catch (TimeoutException late) {
      Peer.LOG.log(Level.DEBUG, title + " ends with calls it works on");
    } finally {
      peer.remove(part);
      closed = true;
      if (cancels != null && !peer.isClosed()) {
        cancels.end();
      }
      scope.cancel();
      scope.close();
    }
  }

  private void awaitRunning() {
    Await.settle(running.values().stream().<Coroutine<?>>map(Begun::work).toList());
  }

  /// Whether it was closed, or its cluster.
  public boolean isClosed() {
    return closed;
  }

  @Override
  public String toString() {
    return title;
  }

  /// Its calls, for the peer, and its end with the cluster.
  private final class Ended implements Part {
    @Override
    public boolean isBusy() {
      return !running.isEmpty();
    }

    /// Who waits says so when it does not any more. That may be lost on its way, but its limit was told before.
    @Override
    public void tick() {
      long now = System.nanoTime();
      for (Begun each : List.copyOf(running.values())) {
        if (each.limit != 0 && now - each.limit > 0) {
          each.work.cancel("it took longer than its caller waits");
        }
      }
    }

    @Override
    public void lost(@Nullable Throwable reason) {
      closed = true;
      scope.cancel();
      peer.loop().spawn(scope::close).named("end of " + title);
    }

    @Override
    public void finish() {
      close();
    }
  }
}
