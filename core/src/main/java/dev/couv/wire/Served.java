// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Scope;
import dev.couv.loop.Conditions;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Expired;
import dev.couv.strand.Suspension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The connections that a server has on one loop: a coroutine for each, which closes it, and which nothing
/// but the connection suffers from.
///
/// Each connection has a scope of its own, for its handler and what that spawns: a failure there ends them, and no
/// other. Cancelling the scopes around the server does not reach it: it ends the server, which then
/// leaves the connections their grace, and does not return before the last has ended.
public final class Served<S> {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  private final EventLoop loop;
  private final Object server;
  private final Serving<S> serving;
  private final Set<Scope> running = new LinkedHashSet<>();

  /// Who waits for room, or for the end.
  private final Conditions awaited = new Conditions();

  /// Is told of each that begins, 1, and that ends, -1.
  private final IntConsumer count;

  /// `server` is what they came to, for messages. In a coroutine of the loop.
  public Served(Object server, Serving<S> serving, IntConsumer count) {
    this.count = count;
    this.loop = Suspension.loop(server);
    this.server = server;
    this.serving = serving;
  }

  /// Whether there are as many as there may be.
  public boolean isFull() {
    return running.size() >= serving.limit();
  }

  /// Await function: accepts until the listener is closed, whatever becomes of a single connection.
  /// `full` tells whether there is room, here or elsewhere: when there may be again, call [#changed].
  /// Has the listener's turn from the first connection to the last, also while it waits for room: nobody takes one in
  /// between.
  public <T> void acceptFrom(
      NativeListener<?, ?, T> listener, BooleanSupplier full, Consumer<? super T> taker)
      throws IOException {
    try {
      listener.takeTurn();
    } catch (ClosedChannelException closed) {
      return;
    }
    try {
      listener.handle().whenClosed(this::changed);
      while (true) {
        awaitRoom(listener, full);
        try {
          taker.accept(listener.next());
        } catch (ClosedChannelException closed) {
          return;
        } catch (IOException failed) {
          refused(failed);
        }
      }
    } finally {
      listener.handle().whenClosed(null);
      listener.passTurn();
    }
  }

  private void awaitRoom(NativeListener<?, ?, ?> listener, BooleanSupplier full) {
    if (serving.waits()) {
      await(
          () -> !full.getAsBoolean() || !listener.isOpen(),
          "room for another connection to " + server);
    }
  }

  /// Begins to serve it, or closes it, if there are too many and none is to wait.
  public void begin(S connection) {
    if (isFull() && !serving.waits()) {
      serving.closing().accept(connection);
      return;
    }
    try {
      Scope own = Scope.apart();
      var handling = own.spawn(() -> serving.handler().serve(connection));
      running.add(own);
      count.accept(1);
      handling.onEnd((_, _) -> handled(own, connection));
      handling.named("connection of " + connection);
    } catch (Throwable failed) {
      serving.closing().accept(connection);
      throw failed;
    }
  }

  /// The handler has ended; what it has spawned may not. Somebody else has to wait for that, and see what it
  /// failed with.
  private void handled(Scope own, S connection) {
    var ending = root(own).spawn(() -> close(own, connection));
    ending.onEnd( // also if the loop ends before it has begun
        (_, _) -> {
          serving.closing().accept(connection);
          running.remove(own);
          count.accept(-1);
          changed();
        });
    ending.named("end of " + connection);
  }

  private static Scope root(Scope scope) {
    Scope root = scope;
    for (Scope parent; (parent = root.parent()) != null; ) {
      root = parent;
    }
    return root;
  }

  private void close(Scope own, S connection) {
    try {
      own.close();
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Throwable failure) {
      failed(connection, failure);
    }
  }

  private void failed(S connection, Throwable failure) {
    BiConsumer<? super S, ? super Throwable> told = serving.onFailure();
    if (told != null) {
      try {
        told.accept(connection, failure);
        return;
      } catch (Cancelled | Resumed leaving) {
        throw leaving;
      } catch (Throwable broken) {
        if (broken != failure) {
          failure.addSuppressed(broken);
        }
      }
    }
    report(connection + ", a connection to " + server + ", has failed", failure);
  }

  /// What happens to I/O is the ordinary life of a server: a line. Anything else has a trace.
  private static void report(String message, Throwable failure) {
    if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      log(Level.INFO, message + ": " + failure.getMessage(), null);
    } else {
      log(Level.ERROR, message, failure);
    }
  }

  /// On another thread, as everything that logs, and whoever cancels meanwhile.
  private static void log(Level level, String message, @Nullable Throwable failure) {
    try {
      Coroutine.protect(
          () ->
              Loop.offload(
                  () -> {
                    LOG.log(level, message, failure);
                    return true;
                  }));
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Exception | Error brokenLogger) {
      // There is no other place to tell it, and the server goes on.
    }
  }

  /// A connection could not be accepted. What is missing may be missing for a while.
  private void refused(IOException failure) {
    String message = "a connection to " + server + " could not be accepted: ";
    log(Level.WARNING, message + failure.getMessage(), null);
    Suspension.await(BackoffOperation.after(Integer.MAX_VALUE, loop, "accept from " + server));
  }

  /// Whoever waits looks again. On the loop's thread.
  public void changed() {
    awaited.changed();
  }

  /// Await function: gives them their grace, cancels those that are left, and returns when all have ended, whoever
  /// cancels it meanwhile.
  public void end() {
    try {
      Coroutine.protect(this::endProtected);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void endProtected() throws Exception {
    Duration grace = serving.grace();
    if (!running.isEmpty() && !grace.isZero()) {
      try {
        Suspension.within(grace, "serve", this::awaitAll);
      } catch (Expired over) {
        // those that are left have had their time
      }
    }
    List.copyOf(running).forEach(Scope::cancel);
    awaitAll();
  }

  private boolean awaitAll() {
    while (!running.isEmpty()) {
      try {
        await(running::isEmpty, "the last connection to " + server);
      } catch (Resumed impatient) {
        // nobody leaves before they have ended
      }
    }
    return true;
  }

  private void await(BooleanSupplier holds, String what) {
    while (!holds.getAsBoolean()) {
      Suspension.await(awaited.until(holds, what));
    }
  }
}
