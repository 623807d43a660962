// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Link;
import dev.couv.cluster.link.Packet;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import dev.couv.sync.Promise;
import dev.couv.time.Time;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Workers on as many machines as one likes, to whom tasks are given: each to one that is free.
/// Where none is free, whoever gives waits.
///
/// A worker that is lost with a task is noticed by its silence. The task is then begun anew by
/// another, if the options allow that; else whoever gave it is told that it is unknown what became
/// of it.
@SuppressWarnings("try") // a scope waits, and throws what failed
public final class WorkerPool<I, O> implements AutoCloseable {
  private final Peer peer;
  private final String name;
  private final Coding<I> input;
  private final Coding<O> output;
  private final PoolOptions options;
  private final ClusterChan<byte[]> tasks;
  private final Scope submitted = Scope.apart();

  private WorkerPool(
      Peer peer,
      String name,
      Coding<I> input,
      Coding<O> output,
      PoolOptions options,
      ClusterChan<byte[]> tasks) {
    this.peer = peer;
    this.name = name;
    this.input = input;
    this.output = output;
    this.options = options;
    this.tasks = tasks;
  }

  static <I, O> WorkerPool<I, O> open(
      Peer peer, String name, Codec<I> input, Codec<O> output, PoolOptions options)
      throws Exception {
    ClusterChan<byte[]> tasks = tasks(peer, name);
    return new WorkerPool<>(
        peer,
        name,
        peer.coding(input, "pool", name),
        peer.coding(output, "pool", name),
        options,
        tasks);
  }

  /// The channel between those who give tasks and the workers.
  static ClusterChan<byte[]> tasks(Peer peer, String name) throws Exception {
    return ClusterChan.open(peer, "pool", name, Codec.bytes(), TaskBytes.OVERHEAD);
  }

  // ---- one task

  /// Gives a task to a free worker, and waits for its result. Cancelling cancels the work.
  ///
  /// @throws RemoteFailureException if it failed at the worker
  /// @throws UnknownOutcomeException if the worker was lost with it, and it must not be begun again
  /// @throws CodecException if the input cannot be encoded, or the result not be decoded
  public O run(I task) throws Exception {
    return run(input.encode(task), null);
  }

  /// Like [#run], but returns at once: the promise is that of the result. Cancelling the promise
  /// does not cancel the work.
  public Promise<O> submit(I task) throws CodecException {
    byte[] bytes = input.encode(task);
    Promise<O> result = Promise.outside(() -> {});
    submitted
        .spawn(
            () -> {
              try {
                result.complete(run(bytes, null));
              } catch (Exception failed) {
                result.fail(failed);
              }
            })
        .named("task of " + this)
        .onEnd((nothing, thrown) -> result.cancel());
    return result;
  }

  /// The results of all tasks, in their order. The first failure is thrown, and what is under way
  /// cancelled.
  public List<O> map(Collection<? extends I> all) throws Exception {
    return map(all, progress -> {});
  }

  /// Like [#map(Collection)], and tells after each task how far it has come.
  public List<O> map(Collection<? extends I> all, Consumer<PoolProgress> progress)
      throws Exception {
    Counter counter = new Counter(all.size(), progress);
    try (Scope scope = Scope.open()) {
      Iterable<Coroutine<O>> begun =
          () ->
              all.stream()
                  .<Coroutine<O>>map(task -> scope.spawn(() -> counted(task, counter)))
                  .iterator();
      return Await.all(begun, options.limit());
    }
  }

  private O counted(I task, Counter counter) throws Exception {
    O result = run(input.encode(task), counter);
    counter.done++;
    counter.tell();
    return result;
  }

  /// How far a `map` has come.
  private static final class Counter {
    private final int total;
    private final Consumer<PoolProgress> progress;
    private int done;
    private int retried;

    private Counter(int total, Consumer<PoolProgress> progress) {
      this.total = total;
      this.progress = progress;
    }

    private void tell() {
      progress.accept(new PoolProgress(done, total, retried));
    }
  }

  private O run(byte[] task, @Nullable Counter counter) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt(task);
      } catch (UnknownOutcomeException lost) {
        if (attempt >= options.attempts()) {
          throw lost;
        }
        Peer.LOG.log(Level.DEBUG, "a task of " + this + " is begun again", lost);
        if (counter != null) {
          counter.retried++;
          counter.tell();
        }
      }
    }
  }

  private O attempt(byte[] task) throws Exception {
    Link link = peer.link();
    FromWorker worker = new FromWorker();
    String address = link.directory().enter(worker);
    boolean answered = false;
    try {
      tasks.send(new TaskBytes(address, task).encode());
      Frame last = last(worker);
      answered = true;
      return result(last);
    } finally {
      link.directory().leave(address);
      if (!answered && worker.control != null) {
        cancel(link, worker.control);
      }
    }
  }

  /// What a worker says of a task.
  private static final class FromWorker implements Asked {
    private final Chan<Frame> said = Chan.create(ChanOptions.unbounded().withShared(true));

    /// Where to say that the result is not wanted.
    private @Nullable String control;

    private @Nullable Exception over;

    @Override
    public void accept(Packet packet) {
      Frame frame = packet.status() == 0 ? Frame.read(packet.data()) : null;
      if (frame == null) {
        return; // not from a worker
      }
      String from = packet.reply();
      if (from != null && Subjects.isInbox(from)) {
        control = from;
      }
      said.trySend(frame);
    }

    @Override
    public void lost(@Nullable Throwable reason) {
      over = Asked.over(reason);
      said.close();
    }
  }

  /// Waits for what the worker says last.
  private Frame last(FromWorker worker) throws Exception {
    while (true) {
      Frame next;
      try {
        next = Time.timeout(options.silence(), worker.said::receive);
      } catch (TimeoutException silent) {
        throw new UnknownOutcomeException(
            "a worker of " + this + " said nothing for " + options.silence(), silent);
      } catch (ClosedException closed) {
        throw worker.over == null ? closed : worker.over;
      }
      if (next.word() == Frame.Word.RESULT || next.word() == Frame.Word.FAILURE) {
        return next;
      }
    }
  }

  private O result(Frame frame) throws ClusterException {
    if (frame.word() == Frame.Word.FAILURE) {
      throw Thrown.decode("a task of " + this, frame.body());
    }
    return output.decode(frame.body());
  }

  private void cancel(Link link, String control) {
    try {
      link.send(Packet.of(control, null, Frame.of(Frame.Word.CANCEL)));
    } catch (ClusterException notTold) {
      Peer.LOG.log(Level.DEBUG, "a worker was not told to stop", notTold);
    }
  }

  // ---- the end

  /// Waits for what was submitted, and closes. Does nothing the second time.
  @Override
  public void close() {
    if (!tasks.isClosed()) {
      peer.checkHere();
      try {
        Coroutine.protect(submitted::close);
      } catch (Exception failed) {
        Peer.LOG.log(Level.DEBUG, this + " ended early", failed);
      }
      tasks.close();
    }
  }

  /// Cancels what was submitted, and closes.
  public void cancel() {
    submitted.cancel();
    close();
  }

  /// Whether it was closed, or its cluster.
  public boolean isClosed() {
    return tasks.isClosed();
  }

  /// What all processes call it.
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "pool \"" + name + '"';
  }
}
