// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.coro.Await;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.error.ClosedException;
import dev.couv.http.one.ClientConnection;
import dev.couv.http.one.Deadline;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Gate;
import dev.couv.sync.Permits;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The connections of a client: those in use, and those that are kept for the next request to the same origin.
///
/// ## Idle connections
///
/// Each has a coroutine that reads it. Whatever comes, an end or bytes that nobody has asked for, closes it; so does its
/// time. Who takes it for a request sends that coroutine away first: so no request is written to a connection that is
/// known to be dead, and no answer was there before its question.
final class ClientPool {
  private final ClientOptions options;

  /// The client's: where idle connections are watched.
  private final Scope scope;

  private final Permits total;
  private final Map<Origin, Lane> lanes = new HashMap<>();
  private final Set<ClientConnection> busy = new HashSet<>();

  /// All that are idle, the oldest first.
  private final SequencedMap<ClientConnection, Idle> kept = new LinkedHashMap<>();

  /// Requests that have had their turn: each has a connection, or makes one.
  private int tickets;

  /// Opens when it is closed, for those who wait for what there will not be any more.
  private final Gate closing = new Gate();

  private boolean closed;

  ClientPool(ClientOptions options, Scope scope) {
    this.options = options;
    this.scope = scope;
    this.total = new Permits(options.total());
  }

  /// What goes to one origin.
  private static final class Lane {
    final Permits permits;
    final Deque<Idle> idle = new ArrayDeque<>();

    /// Requests that are under way or wait.
    int users;

    Lane(int most) {
      this.permits = new Permits(most);
    }
  }

  private record Idle(
      Origin origin, Lane lane, ClientConnection connection, Coroutine<Void> watch) {}

  /// A request's right to a connection, until it is given back.
  final class Ticket {
    private final Origin origin;
    private final Lane lane;
    private @Nullable ClientConnection connection;
    private boolean returned;

    /// What has just been connected, and is nobody's yet.
    private @Nullable ByteStream dialled;

    private Ticket(Origin origin, Lane lane) {
      this.origin = origin;
      this.lane = lane;
    }

    /// A connection; with `fresh` one that nobody has used before.
    ClientConnection connect(boolean fresh, Deadline deadline) throws IOException {
      ClientConnection taken = fresh ? null : takeIdle(lane);
      if (taken == null) {
        makeRoom();
        ByteStream stream =
            deadline.limit(options.connectTime(), "a connection to " + origin, this::dial);
        taken = new ClientConnection(stream, options.head(), options.headers());
        dialled = null;
      }
      if (closed) {
        taken.close();
        throw closedError();
      }
      busy.add(taken);
      connection = taken;
      return taken;
    }

    /// Whoever leaves this, or is closed, when it has just been connected leaves the stream to [#drop].
    private ByteStream dial() throws Exception {
      try {
        return Await.race(
            () -> {
              closing.await();
              ByteStream early = dialled;
              if (early == null) {
                throw closedError();
              }
              return early; // which is closed all the same
            },
            () -> dialled = origin.connect(options.tls()));
      } catch (IOException failed) {
        throw withCaller(failed);
      }
    }

    /// Whoever asked is to be seen in the trace, and not only who connected for him.
    private static IOException withCaller(IOException failed) {
      StackTraceElement[] there = failed.getStackTrace();
      StackTraceElement[] here = new Throwable().getStackTrace();
      StackTraceElement[] both = Arrays.copyOf(there, there.length + here.length);
      System.arraycopy(here, 0, both, there.length, here.length);
      failed.setStackTrace(both);
      return failed;
    }

    /// The connection was of no use.
    void drop() {
      ByteStream early = dialled;
      dialled = null;
      if (early != null) {
        early.close();
      }
      ClientConnection useless = connection;
      connection = null;
      if (useless != null) {
        busy.remove(useless);
        useless.close();
      }
    }

    /// The exchange is over; the connection is kept if it can be used again.
    void done(boolean reusable) {
      if (returned) {
        return;
      }
      returned = true;
      ClientConnection used = connection;
      tickets--;
      if (used != null && reusable && !closed) {
        busy.remove(used);
        keep(origin, lane, used);
      } else {
        drop();
      }
      lane.permits.release();
      total.release();
      leave(origin, lane);
    }
  }

  /// Waits until another request may be made to that origin, but not for ever: whoever leaves answers open would not hear of it.
  ///
  /// @throws java.net.SocketTimeoutException if nobody makes room in time
  /// @throws ClosedException if the client is or gets closed
  Ticket enter(Origin origin, Deadline deadline) throws IOException {
    checkOpen();
    Lane lane = lanes.computeIfAbsent(origin, _ -> new Lane(options.connections()));
    lane.users++;
    boolean entered = false;
    try {
      if (!tryEnter(lane)) {
        String among =
            " behind %d requests to it or %d in all, whose answers may have been left open"
                .formatted(options.connections(), options.total());
        deadline.limit(
            options.turnTime(), "a turn to ask " + origin + among, () -> awaitTurn(lane));
      }
      entered = true;
      tickets++;
      return new Ticket(origin, lane);
    } finally {
      if (!entered) {
        leave(origin, lane);
      }
    }
  }

  private boolean tryEnter(Lane lane) {
    if (!lane.permits.tryAcquire()) {
      return false;
    }
    if (!total.tryAcquire()) {
      lane.permits.release();
      return false;
    }
    return true;
  }

  private boolean awaitTurn(Lane lane) throws Exception {
    Await.any(lane.permits.acquiring(1), closing);
    checkOpen(); // afterwards nobody counts permits any more
    boolean entered = false;
    try {
      Await.any(total.acquiring(1), closing);
      checkOpen();
      entered = true;
    } finally {
      if (!entered) {
        lane.permits.release();
      }
    }
    return true;
  }

  private void leave(Origin origin, Lane lane) {
    lane.users--;
    forget(origin, lane);
  }

  /// An origin that nobody asks any more takes no memory.
  private void forget(Origin origin, Lane lane) {
    if (lane.users == 0 && lane.idle.isEmpty()) {
      lanes.remove(origin, lane);
    }
  }

  // ---- idle ones

  private void keep(Origin origin, Lane lane, ClientConnection connection) {
    if (lane.idle.size() >= options.connections()) {
      connection.close();
      return;
    }
    try {
      Coroutine<Void> watch = scope.spawn(() -> watch(lane, connection));
      watch.named("idle " + connection);
      Idle idle = new Idle(origin, lane, connection, watch);
      lane.idle.addLast(idle);
      kept.put(connection, idle);
    } catch (RuntimeException over) {
      connection.close(); // the scope has ended before its client
    }
  }

  /// A client that asks ever other origins has no more connections than one that asks the same: the one that nobody has used for longest goes.
  private void makeRoom() {
    while (!kept.isEmpty() && kept.size() + tickets > options.total()) {
      Idle oldest = kept.pollFirstEntry().getValue();
      oldest.lane().idle.remove(oldest);
      oldest.watch().cancel();
      oldest.connection().close();
      forget(oldest.origin(), oldest.lane());
    }
  }

  private void watch(Lane lane, ClientConnection connection) {
    try {
      connection.awaitEnd(options.keep());
    } finally {
      boolean mine = lane.idle.removeIf(idle -> idle.connection() == connection);
      if (mine) { // nobody has taken it: it ended by itself, or the scope did
        kept.remove(connection);
        connection.close();
        lanes.entrySet().removeIf(e -> e.getValue() == lane && isUnused(lane));
      }
    }
  }

  private static boolean isUnused(Lane lane) {
    return lane.users == 0 && lane.idle.isEmpty();
  }

  /// The one that was used last, which is the least likely to be closed by the server.
  private @Nullable ClientConnection takeIdle(Lane lane) {
    for (Idle idle; (idle = lane.idle.pollLast()) != null; ) {
      ClientConnection connection = idle.connection();
      kept.remove(connection);
      idle.watch().cancel();
      boolean free = false;
      try {
        idle.watch().await();
      } catch (CancellationException sentAway) {
        free = connection.isOpen();
      } catch (Cancelled leaving) {
        connection.close();
        throw leaving;
      } catch (Exception impossible) {
        throw new AssertionError(impossible);
      } finally {
        if (!free) {
          connection.close();
        }
      }
      if (free) {
        return connection;
      }
    }
    return null;
  }

  /// How many are kept.
  int idle() {
    return kept.size();
  }

  boolean isClosed() {
    return closed;
  }

  private void checkOpen() {
    if (closed) {
      throw closedError();
    }
  }

  private static ClosedException closedError() {
    return new ClosedException("the client is closed");
  }

  void close() {
    if (closed) {
      return;
    }
    closed = true;
    closing.open();
    for (Lane lane : List.copyOf(lanes.values())) {
      for (Idle idle; (idle = lane.idle.pollLast()) != null; ) {
        idle.watch().cancel();
        idle.connection().close();
      }
    }
    lanes.clear();
    kept.clear();
    List.copyOf(busy).forEach(ClientConnection::close);
  }
}
