// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Resumed;
import dev.couv.coro.Suspension;
import dev.couv.error.BrokenException;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.StackRoom;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.WaitQueue;
import dev.couv.loop.Wording;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
  private static final System.Logger LOG = System.getLogger("dev.couv");

  /// What one who acquires was given: a resource, the right to make one, or nothing.
  private static final class Request<R> {
    private @Nullable PooledResource<R> given;
    private @Nullable RuntimeException refusal;
  }

  private final ResourcePlan<R> plan;
  private final Home home = new Home();
  private final Loop loop = Loop.current();
  private final EventLoop events = Suspension.loop("Resources");
  private final Queue queue = new Queue();
  private final Breaker breaker;
  private final Upkeep upkeep = new Upkeep();

  /// The one that was given back last is handed out first, so that those not needed grow old.
  private final ArrayDeque<PooledResource<R>> idle = new ArrayDeque<>();

  /// How many exist, or are being made or given up.
  private int size;

  /// Written on the loop, read by anybody.
  private volatile boolean closed;

  Resources(ResourcePlan<R> plan) {
    this.plan = plan;
    this.breaker = new Breaker(toString(), plan.failures, plan.pause, events::clock);
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
    Request<R> request = new Request<>();
    Suspension.await(queue.waiting(request));
    if (request.refusal != null) {
      throw request.refusal;
    }
    PooledResource<R> found = request.given;
    boolean ready = false;
    try {
      if (found != null && !isUsable(found.resource())) {
        PooledResource<R> useless = found;
        found = null; // its place is kept
        disposeQuietly(useless.resource());
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

  /// Like [#acquire()], for at most that long.
  ///
  /// @throws TimeoutException if there is none in time
  public Lease<R> acquire(Duration atMost) throws Exception {
    return Time.timeout(atMost, () -> acquire());
  }

  /// One that is idle, if nobody waits; else null. It is not checked.
  public @Nullable Lease<R> tryAcquire() {
    StackRoom.toOpen();
    checkHome("Resources.tryAcquire");
    Request<R> request = new Request<>();
    if (closed || idle.isEmpty() || !queue.tryTake(request) || request.given == null) {
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
      made = plan.factory.run();
    } catch (Cancelled | Resumed left) {
      throw left; // which says nothing of the resource
    } catch (Throwable failed) {
      breaker.failed(failed);
      throw failed;
    }
    if (closed) {
      disposeQuietly(made);
      throw closedError();
    }
    breaker.succeeded();
    queue.serve(); // those who waited for this to be tried
    return new PooledResource<>(made);
  }

  private boolean isUsable(R resource) {
    if (plan.check == null) {
      return true;
    }
    try {
      return plan.check.isUsable(resource);
    } catch (Exception broken) {
      return false;
    }
  }

  // ---- giving back

  void giveBack(PooledResource<R> pooled, boolean broken) {
    if (broken) {
      breaker.failed(null);
    } else {
      breaker.succeeded();
    }
    if (!broken && !closed) {
      takeBack(pooled);
      queue.serve();
      return;
    }
    try {
      dispose(pooled.resource());
    } finally {
      takeBack(null);
      queue.serve();
    }
  }

  /// A resource, or the place for one, is free again.
  private void takeBack(@Nullable PooledResource<R> pooled) {
    breaker.gaveUp();
    if (pooled == null) {
      size--;
    } else if (closed) {
      giveUpLater(pooled);
    } else {
      pooled.idleSince(events.clock());
      idle.addLast(pooled);
      upkeep.plan();
    }
  }

  /// It was handed to somebody who left without it, and closed meanwhile. In a coroutine: giving up may
  /// wait, and whoever hands it back may not.
  private void giveUpLater(PooledResource<R> pooled) {
    size--;
    try {
      loop.spawn(() -> disposeQuietly(pooled.resource())).named("end of " + this);
    } catch (ClosedException ending) {
      return; // so is the loop being: nothing new begins there
    }
  }

  private void dispose(R resource) {
    try {
      Coroutine.protect(
          () -> {
            plan.disposal.dispose(resource);
            return plan;
          });
    } catch (RuntimeException thrown) {
      throw thrown;
    } catch (Exception thrown) {
      throw new IllegalStateException("could not give up " + Wording.of(resource), thrown);
    }
  }

  /// It is of no use any more, and nobody waits for how it ends.
  private void disposeQuietly(R resource) {
    try {
      dispose(resource);
    } catch (RuntimeException thrown) {
      LOG.log(
          System.Logger.Level.WARNING,
          "could not give up " + Wording.of(resource),
          Wording.printable(thrown));
    }
  }

  /// Gives up what is idle; what is leased is given up when it comes back. Whoever waits gets a
  /// `ClosedException`. What fails is thrown in the end: the first, with the others suppressed.
  @Override
  public void close() {
    checkHome("Resources.close");
    if (closed) {
      return;
    }
    closed = true;
    upkeep.cancel();
    queue.serve();
    RuntimeException first = null;
    for (PooledResource<R> pooled; (pooled = idle.pollFirst()) != null; ) {
      try {
        dispose(pooled.resource());
      } catch (RuntimeException thrown) {
        if (first == null) {
          first = thrown;
        } else if (first != thrown) {
          first.addSuppressed(thrown);
        }
      } finally {
        size--;
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
    return breaker.state();
  }

  /// Hands out again, whatever failed before.
  public void activate() {
    checkHome("Resources.activate");
    breaker.activate();
    queue.serve();
  }

  /// Refuses everybody, also those who wait, until told otherwise.
  public void deactivate() {
    checkHome("Resources.deactivate");
    breaker.deactivate();
    queue.serve();
  }

  /// Lets one at a time try.
  public void recover() {
    checkHome("Resources.recover");
    breaker.recover();
    queue.serve();
  }

  // ---- looking

  /// How many exist, or are being made.
  public int size() {
    checkHome("Resources.size");
    return size;
  }

  /// How many wait to be used.
  public int idle() {
    checkHome("Resources.idle");
    return idle.size();
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
    return closed;
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

  private final class Queue extends WaitQueue<Request<R>> {
    @Override
    protected boolean isReady(Request<R> want) {
      return closed
          || breaker.refuses()
          || (breaker.admits() && (!idle.isEmpty() || size < plan.max));
    }

    @Override
    protected void take(Request<R> want) {
      if (closed) {
        want.refusal = closedError();
      } else if (breaker.refuses()) {
        want.refusal = breaker.refusal();
      } else {
        breaker.begin();
        want.given = idle.pollLast();
        if (want.given == null) {
          size++;
        }
      }
    }

    @Override
    protected void putBack(Request<R> want) {
      if (want.refusal == null) {
        takeBack(want.given);
      }
    }

    @Override
    protected String describe(Request<R> want) {
      return "one of " + size + " " + Resources.this + ", at most " + plan.max;
    }
  }

  /// Looks after what is idle, now and then. Hidden: it does not keep the loop running. Its work is done
  /// by a coroutine.
  private final class Upkeep extends TimerEntry {
    private boolean working;

    void plan() {
      if (!working && !closed) {
        events.timers().remove(this);
        long next = next();
        if (next != Long.MAX_VALUE) {
          events.timers().hide(this, true);
          events.timers().add(this, events.clock() + next);
        }
      }
    }

    void cancel() {
      events.timers().remove(this);
    }

    /// In how many nanoseconds there is something to do.
    private long next() {
      PooledResource<R> oldest = idle.peekFirst();
      if (oldest == null) {
        return Long.MAX_VALUE;
      }
      long next = plan.interval == null ? Long.MAX_VALUE : plan.interval.toNanos();
      if (plan.idle != null && size > plan.min) {
        long age = events.clock() - oldest.idleSince();
        next = Math.min(next, Math.max(0, plan.idle.toNanos() - age));
      }
      return next;
    }

    @Override
    protected void due() {
      try {
        loop.spawn(this::work).named("upkeep of " + Resources.this);
        working = true;
      } catch (ClosedException ending) {
        working = false; // the loop is being closed: nobody needs it any more
      }
    }

    private void work() {
      try {
        long now = events.clock();
        // Out of reach of others while they are looked at; their places stay taken.
        for (PooledResource<R> pooled : new ArrayList<>(idle).reversed()) {
          if (!closed && idle.remove(pooled)) {
            look(pooled, now);
          }
        }
      } finally {
        working = false;
        plan();
      }
    }

    private void look(PooledResource<R> pooled, long now) {
      boolean kept = false;
      try {
        boolean old =
            plan.idle != null && now - pooled.idleSince() >= plan.idle.toNanos() && size > plan.min;
        kept = !old && (plan.interval == null || isUsable(pooled.resource())) && !closed;
        if (!kept) {
          disposeQuietly(pooled.resource());
        }
      } catch (Cancelled left) {
        kept = !closed; // says nothing of the resource
        if (!kept) {
          disposeQuietly(pooled.resource());
        }
        throw left;
      } finally {
        if (kept) {
          idle.addFirst(pooled);
        } else {
          size--;
        }
        queue.serve();
      }
    }
  }
}
