// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.check.TransferCheck;
import dev.couv.coro.Awaitable;
import dev.couv.coro.LoopBound;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.StackRoom;
import dev.couv.loop.Wording;
import dev.couv.strand.ReasonedCloseable;
import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A way for values from those who [#send] to those who [#receive]: coroutines of one loop, of several
/// loops, and plain threads, in any mixture. A coroutine that has to wait is suspended; a plain thread
/// is blocked, and an interrupt ends its wait with a `CancellationException`.
///
/// Each value goes to one receiver. Both ends are served in the order they came. A value that was
/// matched with a receiver is that receiver's: nobody else can take it. If the receiver is resumed
/// before it had its turn, the value goes to the oldest other one, or back to the front.
///
/// A value is not copied: it should be immutable, or be used by nobody but the receiver from then on.
/// Null cannot be sent.
@SuppressWarnings("exports") // that it can be closed for a reason concerns scopes only
public final class Chan<T> implements Iterable<T>, ReasonedCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Passage<T> passage;
  private final Access access;

  /// Of a named one.
  private final @Nullable HeldName holding;

  private Chan(Passage<T> passage, @Nullable String name) {
    this.passage = passage;
    this.access = new Access(name);
    this.holding = name == null ? null : new HeldName(name, passage, new AtomicBoolean());
    if (holding != null) {
      CLEANER.register(access, holding);
    }
  }

  // ---- making

  /// A channel that holds so many values before senders wait. With 0 sender and receiver wait for each
  /// other.
  ///
  /// @throws IllegalArgumentException if that is negative, or no limit at all; see [ChanOptions]
  public static <T> Chan<T> create(int capacity) {
    return create(ChanOptions.of(capacity));
  }

  /// A channel with these options.
  public static <T> Chan<T> create(ChanOptions options) {
    return new Chan<>(new Passage<>(options, Suspension.loopOrNull(), null), null);
  }

  /// The channel of that name: one in the process, of capacity 0. Each call makes a holder; closing
  /// releases it, and the last one closes the channel and frees the name. What holders expect of the
  /// type of the values is up to them.
  @SuppressWarnings("unchecked") // as documented
  public static <T> Chan<T> named(String name) {
    Objects.requireNonNull(name, "a named channel needs a name");
    return new Chan<>((Passage<T>) ChanNames.hold(name), name);
  }

  /// The names that are held now, sorted.
  public static Set<String> names() {
    return ChanNames.names();
  }

  // ---- sending and receiving

  /// Waits until a receiver has the value, or, if the channel has a capacity, until there is a place
  /// for it. A cancelled or resumed wait withdraws the value.
  ///
  /// @throws ClosedException if the channel is closed, before or meanwhile: the value was not taken
  public void send(T value) {
    Objects.requireNonNull(value, "a channel cannot carry null");
    if (!passage.hasRoom() || !passage.put(value, passed())) {
      await(Endpoint.OUT, value);
    }
  }

  /// Waits for the next value.
  ///
  /// @throws ClosedException if the channel is closed and nothing is left in it
  @SuppressWarnings("NullAway") // null only from somebody who passed it to sync
  public T receive() {
    T held = passage.hasRoom() ? passage.take(passed()) : null;
    return held == null ? await(Endpoint.IN, null) : held;
  }

  /// Where the caller is; a coroutine has begun an await by that, which may be ready.
  private static @Nullable EventLoop passed() {
    Strand current = Strand.currentOrNull();
    if (current == null) {
      return null;
    }
    StackRoom.toWait(); // it may let the others run
    current.suspending().pass(); // before anything is given or taken: it may throw
    return current.scheduler().events();
  }

  /// Sends without waiting: false if there is no receiver that waits, and no place.
  ///
  /// @throws ClosedException if the channel is closed
  public boolean trySend(T value) {
    return attempt(Endpoint.OUT, Objects.requireNonNull(value, "a channel cannot carry null"))
        != null;
  }

  /// Receives without waiting: null if there is nothing.
  ///
  /// @throws ClosedException if the channel is closed and nothing is left in it
  public @Nullable T tryReceive() {
    Party<T> met = attempt(Endpoint.IN, null);
    return met == null ? null : met.got;
  }

  /// Waits for somebody at a fitting end, and exchanges values with them: [Endpoint#IN] meets
  /// [Endpoint#OUT], [Endpoint#ANY] meets everybody. A [#receive] is an IN without a value, a [#send]
  /// an OUT that drops what it gets. Values may be null.
  ///
  /// @throws IllegalStateException if the channel has a capacity: nobody would meet
  public @Nullable T sync(Endpoint endpoint, @Nullable T value) {
    checkMeeting(endpoint);
    return await(endpoint, value);
  }

  /// What the other side passed, as [#trySync] found it.
  ///
  /// @param value null if the other side only received
  public record Met<T>(@Nullable T value) {}

  /// Exchanges values with somebody who waits at a fitting end, as [#sync] does; null if nobody is there.
  public @Nullable Met<T> trySync(Endpoint endpoint, @Nullable T value) {
    checkMeeting(endpoint);
    Party<T> met = attempt(endpoint, value);
    return met == null ? null : new Met<>(met.got);
  }

  /// Receiving as one of several things to wait for, in `Await.select` and the like: it takes a value
  /// only if it wins. Can be used again.
  public Awaitable<T> receiving() {
    return new ChanEnd<>(this, passage, access, Endpoint.IN, null);
  }

  /// Sending as one of several things to wait for: the value is given only if it wins.
  public Awaitable<@Nullable Void> sending(T value) {
    checkSent(Objects.requireNonNull(value, "a channel cannot carry null"));
    return new ChanEnd<>(this, passage, access, Endpoint.OUT, value);
  }

  @Nullable T await(Endpoint endpoint, @Nullable T value) {
    checkSent(value);
    EventLoop here = Suspension.loopOrNull();
    if (here == null) {
      ThreadParty<T> thread = new ThreadParty<>(passage, access, endpoint, value);
      thread.await();
      return received(thread);
    }
    CoroutineParty<T> party = new CoroutineParty<>(passage, access, endpoint, value, here);
    Suspension.await(party);
    return received(party);
  }

  private @Nullable Party<T> attempt(Endpoint endpoint, @Nullable T value) {
    checkSent(value);
    Party<T> attempt = new Party<>(access, endpoint, value, null);
    if (!passage.attempt(attempt, Suspension.loopOrNull())) {
      return null;
    }
    received(attempt); // throws if it was refused
    return attempt;
  }

  /// See [TransferCheck].
  private void checkSent(@Nullable T value) {
    if (TransferCheck.isChecked()
        && value instanceof LoopBound
        && passage.isUsedBeside(Suspension.loopOrNull())) {
      throw TransferCheck.unsendable(value, access);
    }
  }

  private @Nullable T received(Party<T> by) {
    T value = passage.result(by);
    if (value != null && TransferCheck.isChecked() && TransferCheck.isForeign(value)) {
      passage.giveBack(value, by.serial, Suspension.loopOrNull());
      throw TransferCheck.refused(value, access);
    }
    return value;
  }

  private void checkMeeting(Endpoint endpoint) {
    Objects.requireNonNull(endpoint, "endpoint");
    if (capacity() > 0) {
      throw new IllegalStateException(this + " has a capacity: sync needs one without");
    }
  }

  /// Receives until the channel is closed. One that was closed for a reason, or closed itself, throws
  /// that at the end.
  @Override
  public Iterator<T> iterator() {
    return new Values();
  }

  private final class Values implements Iterator<T> {
    private @Nullable T next;

    @Override
    public boolean hasNext() {
      if (next == null) {
        try {
          next = receive();
        } catch (ClosedException end) {
          if (end.getCause() != null) {
            throw end;
          }
          return false;
        }
      }
      return true;
    }

    @Override
    public T next() {
      T value = hasNext() ? next : null;
      if (value == null) {
        throw new NoSuchElementException(Chan.this + " is closed");
      }
      next = null;
      return value;
    }
  }

  /// Takes what is in the channel now, without waiting: after a close, what nobody has received.
  public List<T> drain() {
    List<T> taken = new ArrayList<>();
    try {
      for (T value; (value = tryReceive()) != null; ) {
        taken.add(value);
      }
      return taken;
    } catch (ClosedException end) {
      return taken;
    }
  }

  // ---- closing

  /// Nobody can send any more. Receivers get what is left, and then a `ClosedException`; senders that
  /// wait get it at once, and their values are not taken. Any thread; does nothing the second time.
  ///
  /// A named channel is only released: those who wait through this holder get the exception. The last
  /// holder closes it.
  @Override
  public void close() {
    if (holding == null) {
      passage.close(" is closed", null, Suspension.loopOrNull());
    } else {
      passage.release(access, Suspension.loopOrNull());
      holding.run();
    }
  }

  /// Closes for a reason: it is the cause of every `ClosedException`, also at the end of an iteration. A
  /// named channel is closed for all its holders, and its name is free. The first close counts.
  @Override
  public void close(Throwable reason) {
    Objects.requireNonNull(reason);
    if (holding != null) {
      ChanNames.forget(holding.name, passage); // first, or the name would be that of a closed one
    }
    passage.close(" is closed: " + Wording.of(reason), reason, Suspension.loopOrNull());
  }

  /// Whether nobody can send through it any more; or, of a named one, whether this holder was closed. Any thread.
  public boolean isClosed() {
    return access.isReleased() || passage.isClosed();
  }

  /// What it was closed for, or null.
  public @Nullable Throwable closeReason() {
    return passage.reason();
  }

  // ---- what it is

  /// The name of a named one, or null.
  public @Nullable String name() {
    return access.name;
  }

  /// How many values it holds before senders wait.
  public int capacity() {
    return passage.stats().capacity();
  }

  /// What it has in hand now. Any thread.
  public ChanStats stats() {
    return passage.stats();
  }

  @Override
  public String toString() {
    return access.toString();
  }

  /// One holder of a named channel; released once, by its close or when nobody holds the holder, nor
  /// waits through it. It must not know the access, or that would never be.
  private record HeldName(String name, Passage<?> passage, AtomicBoolean over) implements Runnable {
    @Override
    public void run() {
      if (!over.getAndSet(true) && ChanNames.release(name, passage)) {
        passage.close(" is closed", null, Suspension.loopOrNull());
      }
    }
  }
}
