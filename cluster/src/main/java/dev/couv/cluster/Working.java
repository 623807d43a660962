// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Link;
import dev.couv.cluster.link.Packet;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.error.ClosedException;
import dev.couv.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// This process as a worker of a pool: so many coroutines that each take a task, work on it, and
/// tell its result. While they work, whoever gave the task is told so.
public final class Working implements AutoCloseable {
  private static final long SAY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final Peer peer;
  private final ClusterChan<byte[]> tasks;
  private final Scope scope = Scope.apart();
  private final Part part = new Busy();

  /// Where the results of what is worked on are wanted, and where to say that they are not.
  private final Map<String, String> running = new LinkedHashMap<>();

  private boolean closed;
  private long done;
  private long saidAt;

  private Working(Peer peer, ClusterChan<byte[]> tasks) {
    this.peer = peer;
    this.tasks = tasks;
  }

  static <I, O> Working open(
      Peer peer,
      String name,
      Codec<I> input,
      Codec<O> output,
      int concurrency,
      CallHandler<I, O> handler)
      throws Exception {
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency must be positive: " + concurrency);
    }
    ClusterChan<byte[]> tasks = WorkerPool.tasks(peer, name);
    Working working = new Working(peer, tasks);
    Coding<I> in = peer.coding(input, "pool", name);
    Coding<O> out = peer.coding(output, "pool", name);
    peer.add(working.part);
    for (int i = 0; i < concurrency; i++) {
      working.scope.spawn(() -> working.takeEach(in, out, handler)).named("worker of " + name);
    }
    return working;
  }

  private <I, O> void takeEach(Coding<I> input, Coding<O> output, CallHandler<I, O> handler) {
    while (!closed) {
      TaskBytes task;
      try {
        task = TaskBytes.decode(tasks.receive());
      } catch (ClosedException over) {
        return;
      }
      if (task != null) {
        workOn(task, input, output, handler);
      }
    }
  }

  private <I, O> void workOn(
      TaskBytes task, Coding<I> input, Coding<O> output, CallHandler<I, O> handler) {
    Link link = peer.knownLink();
    Coroutine<byte[]> work =
        scope.spawn(() -> output.encode(handler.handle(input.decode(task.input()))));
    String control =
        link.directory()
            .enter(
                packet -> {
                  Frame frame = Frame.read(packet.data());
                  if (packet.status() == Packet.NOBODY
                      || (frame != null && frame.word() == Frame.Word.CANCEL)) {
                    work.cancel("nobody wants the result any more");
                  }
                });
    running.put(task.reply(), control);
    peer.wake();
    try {
      say(task.reply(), control, Frame.of(Frame.Word.WORKING));
      byte[] result = work.await();
      link.publish(Packet.of(task.reply(), null, Frame.of(Frame.Word.RESULT, 0, result)));
      done++;
    } catch (Cancelled leaving) {
      work.cancel("the worker ends");
      throw leaving;
    } catch (Throwable failed) {
      say(
          task.reply(),
          control,
          Frame.of(Frame.Word.FAILURE, 0, Thrown.encode(failed, peer.room())));
    } finally {
      running.remove(task.reply());
      link.directory().leave(control);
    }
  }

  private void say(String to, String control, byte[] frame) {
    try {
      peer.knownLink().send(Packet.of(to, control, frame));
    } catch (ClusterException notTold) {
      Peer.LOG.log(Level.DEBUG, "not told of a task", notTold);
    }
  }

  /// How many tasks it works on now.
  public int running() {
    return running.size();
  }

  /// How many tasks it has told the results of.
  public long done() {
    return done;
  }

  /// Takes no more tasks, and waits for those it works on, for as long as the cluster's grace; then
  /// they are cancelled. Does nothing the second time.
  @Override
  public void close() {
    if (!closed) {
      peer.checkHere();
      closed = true;
      try {
        Coroutine.protect(this::end);
      } catch (Exception early) {
        Peer.LOG.log(Level.DEBUG, "a worker ended early", early);
      }
    }
  }

  private void end() throws Exception {
    Duration grace = peer.options().grace();
    tasks.close();
    try {
      Time.timeout(grace, scope::join);
    } catch (TimeoutException late) {
      scope.cancel();
    } finally {
      peer.remove(part);
      scope.close();
    }
  }

  /// Whether it was closed, or its cluster.
  public boolean isClosed() {
    return closed;
  }

  /// What is worked on, for the peer.
  private final class Busy implements Part {
    @Override
    public boolean isBusy() {
      return !running.isEmpty();
    }

    @Override
    public void tick() {
      long now = System.nanoTime();
      if (now - saidAt > SAY_NANOS) {
        saidAt = now;
        Map.copyOf(running)
            .forEach((to, control) -> say(to, control, Frame.of(Frame.Word.WORKING)));
      }
    }

    @Override
    public void lost(@Nullable Throwable reason) {
      closed = true;
      scope.cancel();
      peer.loop().spawn(scope::close).named("end of a worker");
    }

    @Override
    public void finish() {
      close();
    }
  }
}
