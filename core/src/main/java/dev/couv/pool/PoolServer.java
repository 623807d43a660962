// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.error.ClosedException;
import dev.couv.net.Handler;
import dev.couv.net.ListenOptions;
import dev.couv.net.ServeOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.net.WhenFull;
import dev.couv.stream.Detached;
import dev.couv.sync.Promise;
import dev.couv.wire.Served;
import dev.couv.wire.Serving;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// One port, served by all loops of a pool, those that it gets later, too. [Spread] tells how
/// connections come to them. Any thread may use it.
public final class PoolServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  private final Crew crew;
  private final Serving<TcpStream> serving;
  private final Spread spread;
  private final ListenOptions options;

  /// Where it is to listen, and then where it does. Written before others know of the server.
  private InetSocketAddress local;

  /// Those that listen, or are about to.
  private final List<PoolThread> threads = new CopyOnWriteArrayList<>();

  private volatile boolean closed;

  PoolServer(
      Crew crew,
      InetSocketAddress address,
      ListenOptions options,
      Spread spread,
      Handler<? super TcpStream> handler,
      ServeOptions serveOptions) {
    this.crew = crew;
    this.local = Objects.requireNonNull(address, "address");
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(serveOptions, "serving");
    this.serving =
        new Serving<>(
            serveOptions.limit(),
            serveOptions.whenFull() == WhenFull.WAIT,
            serveOptions.grace(),
            serveOptions.onFailure(),
            handler::serve,
            TcpStream::close);
    this.spread = Objects.requireNonNull(spread, "spread");
    // Also for a single listener: its successor listens before it is closed.
    this.options = options.withReusePort(spread == Spread.SYSTEM || Spread.isPortShareable());
  }

  /// The listeners are there when this returns, on all of the threads that have not left by then, or, if
  /// it throws, on none. False if all have left.
  boolean open(Collection<PoolThread> first) throws Exception {
    Map<PoolThread, Promise<InetSocketAddress>> bound = new LinkedHashMap<>();
    boolean found = false;
    for (PoolThread thread : first) {
      InetSocketAddress at = local;
      threads.add(thread);
      Promise<InetSocketAddress> binding;
      try {
        binding = Promise.of(thread.loop.submit(() -> listen(thread, at))).ignore();
        if (found) {
          bound.put(thread, binding);
        } else {
          local = binding.await(); // the first finds the port, if it is to be found
          found = true;
        }
      } catch (ClosedException | CancellationException left) {
        threads.remove(thread);
      }
      if (found && spread == Spread.HAND_OVER) {
        return true;
      }
    }
    for (Map.Entry<PoolThread, Promise<InetSocketAddress>> binding : bound.entrySet()) {
      try {
        binding.getValue().await();
      } catch (ClosedException | CancellationException left) {
        threads.remove(binding.getKey());
      }
    }
    return found;
  }

  /// A thread has come to the pool, or one is needed. Under the pool's lock.
  void join(PoolThread thread) {
    boolean enough = spread == Spread.HAND_OVER && !threads.isEmpty();
    if (enough) {
      lookAgain();
    }
    if (closed || enough || threads.contains(thread)) {
      return;
    }
    threads.add(thread);
    thread.post(
        () -> {
          try {
            if (!thread
                .station(this)
                .listens()) { // it may have left and come back more than once meanwhile
              listen(thread, local);
            }
          } catch (ClosedException left) {
            LOG.log(Level.DEBUG, "a thread has left before it listened", left);
          } catch (Exception failed) {
            threads.remove(thread);
            LOG.log(Level.WARNING, "a thread of " + crew + " cannot listen at " + local, failed);
          }
        });
  }

  /// A thread listens no more. Under the pool's lock.
  void dismiss(PoolThread thread) {
    threads.remove(thread);
  }

  /// Throws a [ClosedException] if the thread leaves.
  private InetSocketAddress listen(PoolThread thread, InetSocketAddress at) throws Exception {
    TcpListener listener = Tcp.listen(at, options);
    InetSocketAddress found = listener.local();
    if (thread.stay().isOver()) {
      listener.close();
      throw new ClosedException("a thread of " + crew + " has left");
    }
    thread.station(this).listen(listener);
    if (closed) {
      thread.stopServing(this);
    }
    thread.loop.spawn(() -> accept(thread, listener)).named("acceptor of " + found);
    return found;
  }

  /// Goes on whatever becomes of a single connection: the system would go on to queue others here.
  private void accept(PoolThread thread, TcpListener listener) throws IOException {
    Served<TcpStream> here = thread.station(this).served();
    here.acceptFrom(
        listener,
        () -> spread == Spread.SYSTEM ? here.isFull() : !crew.hasThread(this::hasRoom),
        connection -> accepted(thread, connection));
  }

  /// For its listener and connections on one thread.
  Station station() {
    return new Station(station -> new Served<>(this, serving, change -> counted(station, change)));
  }

  /// A thread has a connection more or less, or one more or less is on its way there. Any thread.
  private void counted(Station station, int change) {
    int now = station.counted(change);
    if (now == serving.limit() - 1 && change < 0 && spread == Spread.HAND_OVER) {
      lookAgain();
    }
  }

  private boolean hasRoom(PoolThread thread) {
    return thread.load(this) < serving.limit();
  }

  /// There may be room now on another thread than that which accepts.
  private void lookAgain() {
    threads.forEach(accepting -> accepting.lookAgain(this));
  }

  private void accepted(PoolThread thread, TcpStream connection) {
    PoolThread least = spread == Spread.SYSTEM ? thread : crew.leastServing(this::hasRoom);
    PoolThread to = least == null ? thread : least;
    Detached<TcpStream> moving = to == thread ? null : detached(connection);
    if (moving == null) {
      begin(thread, connection);
    } else {
      handOver(moving, to, thread);
    }
  }

  private void begin(PoolThread here, TcpStream connection) {
    here.station(this).served().begin(connection);
    if (closed) {
      here.stopServing(this); // it was on its way
    }
  }

  /// Null if it stays here.
  private static @Nullable Detached<TcpStream> detached(TcpStream connection) {
    try {
      return connection.detach();
    } catch (IOException noDescriptor) {
      LOG.log(Level.DEBUG, "a connection stays where it was accepted", noDescriptor);
      return null;
    }
  }

  /// If that loop ends before it is there, it goes back. Any thread.
  private void handOver(Detached<TcpStream> moving, PoolThread to, @Nullable PoolThread back) {
    Station there = to.station(this);
    counted(there, 1); // it is on its way
    try {
      var _ =
          to.loop
              .submit(() -> begin(to, moving.adopt()))
              .whenComplete((_, failed) -> arrived(moving, there, back, failed));
    } catch (ClosedException ended) {
      arrived(moving, there, back, ended);
    }
  }

  private void arrived(
      Detached<TcpStream> moving,
      Station there,
      @Nullable PoolThread back,
      @Nullable Throwable failed) {
    counted(there, -1);
    if (failed instanceof ClosedException || failed instanceof CancellationException) {
      if (back != null) {
        handOver(moving, back, null);
        return;
      }
    } else if (failed != null) {
      LOG.log(Level.WARNING, moving + " could not be handed over", failed);
    }
    moving.close(); // unless it was adopted
  }

  /// Where it listens.
  public InetSocketAddress local() {
    return local;
  }

  /// How connections come to the loops.
  public Spread spread() {
    return spread;
  }

  /// Accepts no more; connections that were accepted have their grace, and then are cancelled. Returns before
  /// the last listener is closed.
  @Override
  public void close() {
    closed = true;
    crew.forget(this).forEach(thread -> thread.stopServing(this));
  }

  /// Whether it was closed, by itself or with its pool.
  public boolean isClosed() {
    return closed;
  }

  @Override
  public String toString() {
    return "server " + local;
  }
}
