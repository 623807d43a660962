// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Resumed;
import dev.couv.error.BrokenException;
import dev.couv.error.ClosedException;
import dev.couv.loop.Escaped;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Exhibit;
import dev.couv.loop.Exhibits;
import dev.couv.loop.StackRoom;
import dev.couv.loop.WaitQueue;
import dev.couv.strand.Suspension;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A pool of things that are costly to make and can be used again: connections, most of all. At most so
/// many exist; whoever finds none waits, first come, first served.
///
/// ```java
/// var connections = Resources.of(() -> Tcp.connect("db", 5432)).max(4).open();
/// try (var lease = connections.acquire()) {
///   lease.resource().write(query);
/// }
/// ```
///
/// One that is given back is the longest waiter's at once, before he runs. What frees a place otherwise, a
/// resource that was broken or could not be made, lets the next one make his. Belongs to its loop.
public final class Resources<R> implements AutoCloseable, LoopBound {
  /// What one who acquires was given: a resource, the right to make one, or nothing.
  private static final class Want<R> {
    private @Nullable PooledResource<R> given;
    private @Nullable RuntimeException refusal;
  }

  private final Stock<R> stock;
  private final Home home = new Home();
  private final Loop loop = Loop.current();
  private final EventLoop events = Suspension.loop("Resources");
  private final Queue queue = new Queue();
  private final Fuse fuse;
  private final Upkeep<R> upkeep;

  Resources(ResourcePlan<R> plan) {
    this.stock = new Stock<>(plan);
    this.upkeep = new Upkeep<>(stock, loop, events, queue::serve);
    this.fuse = new Fuse(toString(), plan.failures, plan.pause, events::clock);
    Exhibits.show(queue);
  }

  /// Plans a pool of what the factory makes; it may wait.
  public static <R> ResourcePlan<R> of(Body<R> factory) {
    return new ResourcePlan<>(factory);
  }

  // ---- acquiring

  /// Waits for a resource: one that is idle, or a new one. What the factory throws is thrown.
  ///
  /// @throws ClosedException if the pool is or gets closed
  /// @throws BrokenException if there were too many failures, or it was switched off
  public Lease<R> acquire() throws Exception {
    StackRoom.toOpen();
    checkHome("Resources.acquire");
    Want<R> request = new Want<>();
    Suspension.await(queue.waiting(request));
    if (request.refusal != null) {
      throw request.refusal;
    }
    PooledResource<R> found = request.given;
    boolean ready = false;
    try {
      if (found != null && !stock.isUsable(found.resource)) {
        PooledResource<R> useless = found;
        found = null; // its place is kept
        stock.disposeQuietly(useless.resource);
      }
      if (found == null) {
        found = make();
      }
      ready = true;
      return new Lease<>(this, found);
    } finally {
      if (!ready) {
        takeBack(found);
        queue.serve();
      }
    }
  }

  /// Waits for a resource, as [#acquire()] does, but for at most that long.
  ///
  /// @throws TimeoutException if there is none in time
  public Lease<R> acquire(Duration atMost) throws Exception {
    return Time.timeout(atMost, () -> acquire());
  }

  /// One that is idle, if nobody waits; else null. It is not checked.
  public @Nullable Lease<R> tryAcquire() {
    StackRoom.toOpen();
    checkHome("Resources.tryAcquire");
    Want<R> request = new Want<>();
    if (stock.closed || stock.idle.isEmpty() || !queue.tryTake(request) || request.given == null) {
      return null;
    }
    return new Lease<>(this, request.given);
  }

  /// Runs the function with a resource, which is then given back.
  public <T extends @Nullable Object> T use(Promise.Step<? super R, ? extends T> function)
      throws Exception {
    try (Lease<R> lease = acquire()) {
      return function.apply(lease.resource());
    }
  }

  private PooledResource<R> make() throws Exception {
    R made;
    try {
      made = stock.plan.factory.run();
    } catch (Cancelled | Resumed left) {
      throw left; // which says nothing of the resource
    } catch (Throwable failed) {
      fuse.failed(failed);
      throw failed;
    }
    if (stock.closed) {
      stock.disposeQuietly(made);
      throw closedError();
    }
    fuse.succeeded();
    queue.serve(); // those who waited for this to be tried
    return new PooledResource<>(made);
  }

  // ---- giving back

  void giveBack(PooledResource<R> pooled, boolean broken) {
    if (broken) {
      fuse.failed(null);
    } else {
      fuse.succeeded();
    }
    if (!broken && !stock.closed) {
      takeBack(pooled);
      queue.serve();
      return;
    }
    try {
      stock.dispose(pooled.resource);
    } finally {
      takeBack(null);
      queue.serve();
    }
  }

  /// A resource, or the place for one, is free again.
  private void takeBack(@Nullable PooledResource<R> pooled) {
    fuse.gaveUp();
    if (pooled == null) {
      stock.size--;
    } else if (stock.closed) {
      giveUpLater(pooled);
    } else {
      pooled.idleSince = events.clock();
      stock.idle.addLast(pooled);
      upkeep.plan();
    }
  }

  /// It was handed to somebody who left without it, and closed meanwhile. In a coroutine: giving up may
  /// wait, and whoever hands it back may not.
  private void giveUpLater(PooledResource<R> pooled) {
    stock.size--;
    try {
      loop.spawn(() -> stock.disposeQuietly(pooled.resource)).named("end of " + this);
    } catch (ClosedException ending) {
      return; // so is the loop being: nothing new begins there
    }
  }

  /// Gives up what is idle; what is leased is given up when it comes back. Whoever waits gets a
  /// `ClosedException`. What fails is thrown in the end: the first, with the others suppressed.
  @Override
  public void close() {
    checkHome("Resources.close");
    if (stock.closed) {
      return;
    }
    stock.closed = true;
    upkeep.cancel();
    queue.serve();
    RuntimeException first = null;
    for (PooledResource<R> pooled; (pooled = stock.idle.pollFirst()) != null; ) {
      try {
        stock.dispose(pooled.resource);
      } catch (RuntimeException thrown) {
        first = Escaped.first(first, thrown);
      } finally {
        stock.size--;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  // ---- the breaker

  /// Whether it hands anything out.
  public BreakerState state() {
    checkHome("Resources.state");
    return fuse.state();
  }

  /// Hands out again, whatever failed before.
  public void activate() {
    checkHome("Resources.activate");
    fuse.activate();
    queue.serve();
  }

  /// Refuses everybody, also those who wait, until told otherwise.
  public void deactivate() {
    checkHome("Resources.deactivate");
    fuse.deactivate();
    queue.serve();
  }

  /// Lets one at a time try.
  public void recover() {
    checkHome("Resources.recover");
    fuse.recover();
    queue.serve();
  }

  // ---- looking

  /// How many exist, or are being made.
  public int size() {
    checkHome("Resources.size");
    return stock.size;
  }

  /// How many wait to be used.
  public int idle() {
    checkHome("Resources.idle");
    return stock.idle.size();
  }

  /// How many are in use, or being made.
  public int leased() {
    return size() - idle();
  }

  /// How many coroutines wait for one.
  public int waiting() {
    checkHome("Resources.waiting");
    return queue.size();
  }

  /// Whether nothing is handed out any more. Any thread.
  public boolean isClosed() {
    return stock.closed;
  }

  /// Whether the caller may use it: it is a coroutine of the pool's loop, or the loop's thread.
  @Override
  public boolean isHere() {
    return home.isHere();
  }

  @Override
  public String toString() {
    return "resources";
  }

  void checkHome(String call) {
    home.enter(this, call);
  }

  private static ClosedException closedError() {
    return new ClosedException("the resources are closed");
  }

  // ---- the parts

  private final class Queue extends WaitQueue<Want<R>> implements Exhibit {
    @Override
    public String kind() {
      return "resources";
    }

    @Override
    public Map<String, Object> figures() {
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("waiting", size());
      figures.put("size", stock.size);
      figures.put("idle", stock.idle.size());
      figures.put("closed", stock.closed);
      return figures;
    }

    @Override
    public String toString() {
      return "resources";
    }

    @Override
    protected boolean isReady(Want<R> want) {
      return stock.closed || fuse.refuses() || (fuse.admits() && stock.hasPlace());
    }

    @Override
    protected void take(Want<R> want) {
      if (stock.closed) {
        want.refusal = closedError();
      } else if (fuse.refuses()) {
        want.refusal = fuse.refusal();
      } else {
        fuse.begin();
        want.given = stock.take();
      }
    }

    @Override
    protected void putBack(Want<R> want) {
      if (want.refusal == null) {
        takeBack(want.given);
      }
    }

    @Override
    protected String describe(Want<R> want) {
      return "one of " + stock.size + " " + Resources.this + ", at most " + stock.plan.max;
    }
  }
}
