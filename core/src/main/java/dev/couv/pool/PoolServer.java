// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Coroutine;
import dev.couv.error.ClosedException;
import dev.couv.net.ListenOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.stream.Detached;
import dev.couv.sync.Promise;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// One port, served by all loops of a pool, those that it gets later, too. [Spread] tells how
/// connections come to them. Any thread may use it.
public final class PoolServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  private final LoopPool pool;
  private final ConnectionHandler handler;
  private final Spread spread;
  private final ListenOptions options;
  private final InetSocketAddress local;

  /// Those that listen, or are about to.
  private final List<PoolThread> threads = new CopyOnWriteArrayList<>();

  private volatile boolean closed;

  /// The listeners are there when this returns, on all of the threads or on none.
  PoolServer(
      LoopPool pool,
      List<PoolThread> first,
      InetSocketAddress address,
      ListenOptions options,
      Spread spread,
      ConnectionHandler handler)
      throws Exception {
    this.pool = pool;
    this.handler = handler;
    this.spread = spread;
    // Also for a single listener: its successor listens before it is closed.
    this.options = options.withReusePort(spread == Spread.SYSTEM || Spread.isPortShareable());
    List<Promise<InetSocketAddress>> bound = new ArrayList<>();
    InetSocketAddress found = address;
    boolean done = false;
    try {
      for (PoolThread thread : spread == Spread.SYSTEM ? first : first.subList(0, 1)) {
        InetSocketAddress at = found;
        threads.add(thread);
        Promise<InetSocketAddress> binding =
            Promise.of(thread.loop().submit(() -> listen(thread, at)));
        bound.add(binding);
        if (found == address) {
          found = binding.await(); // the first finds the port, if it is to be found
        }
      }
      for (Promise<InetSocketAddress> binding : bound) {
        binding.await();
      }
      done = true;
    } finally {
      if (!done) {
        close();
      }
    }
    local = found;
  }

  /// A thread has come to the pool, which has no other if `alone`. Any thread.
  void join(PoolThread thread, boolean alone) {
    if (closed || (spread == Spread.HAND_OVER && !alone)) {
      return;
    }
    threads.add(thread);
    thread.post(
        () -> {
          try {
            listen(thread, local);
          } catch (Exception failed) {
            threads.remove(thread);
            LOG.log(Level.WARNING, "a thread of " + pool + " cannot listen at " + local, failed);
          }
        });
  }

  /// A thread has closed its listener. Its loop.
  void left(PoolThread thread) {
    threads.remove(thread);
  }

  private InetSocketAddress listen(PoolThread thread, InetSocketAddress at) throws Exception {
    TcpListener listener = Tcp.listen(at, options);
    InetSocketAddress found = listener.local();
    thread.serves(this, listener);
    if (closed) {
      thread.stopServing(this);
    }
    thread.loop().spawn(() -> accept(thread, listener)).named("acceptor of " + found);
    return found;
  }

  private void accept(PoolThread thread, TcpListener listener) {
    for (TcpStream connection : listener) {
      PoolThread to = spread == Spread.SYSTEM ? thread : pool.leastServing(thread);
      if (to == thread || !handOver(connection, to)) {
        thread.connections.incrementAndGet();
        Coroutine.spawn(() -> serve(thread, connection));
      }
    }
  }

  /// False if it stays here.
  private boolean handOver(TcpStream connection, PoolThread to) {
    Detached<TcpStream> moving;
    try {
      moving = connection.detach();
    } catch (IOException noDescriptor) {
      LOG.log(Level.DEBUG, "a connection stays where it was accepted", noDescriptor);
      return false;
    }
    to.connections.incrementAndGet();
    try {
      to.loop().spawn(() -> serve(to, adopted(moving, to))).named("connection");
    } catch (ClosedException left) {
      to.connections.decrementAndGet();
      moving.close(); // the pool is ending
    }
    return true;
  }

  private static TcpStream adopted(Detached<TcpStream> moving, PoolThread here) throws IOException {
    try {
      return moving.adopt();
    } catch (Throwable failed) {
      here.connections.decrementAndGet();
      moving.close();
      throw failed;
    }
  }

  private void serve(PoolThread here, TcpStream connection) throws Exception {
    try (connection) {
      handler.serve(connection);
    } finally {
      here.connections.decrementAndGet();
    }
  }

  /// Where it listens.
  public InetSocketAddress local() {
    return local;
  }

  /// How connections come to the loops.
  public Spread spread() {
    return spread;
  }

  /// Accepts no more; connections that were accepted go on. Returns before the last listener is closed.
  @Override
  public void close() {
    closed = true;
    pool.forget(this);
    threads.forEach(thread -> thread.stopServing(this));
  }
}
