// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Coroutine;
import dev.couv.error.ClosedException;
import dev.couv.net.ListenOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.sync.Promise;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// One port, and a listener for it on each loop of a pool: the system spreads connections over them, and
/// each stays on the loop that accepted it. Any thread may use it.
public final class PoolServer implements AutoCloseable {
  private final ConnectionHandler handler;
  private final InetSocketAddress local;
  private final List<PoolThread> threads;

  /// The listeners are there when this returns, on all of the threads or on none.
  PoolServer(
      List<PoolThread> threads,
      InetSocketAddress address,
      ListenOptions options,
      ConnectionHandler handler)
      throws Exception {
    this.handler = handler;
    this.threads = List.copyOf(threads);
    ListenOptions shared = options.withReusePort(true);
    List<Promise<InetSocketAddress>> bound = new ArrayList<>();
    InetSocketAddress found = address;
    boolean done = false;
    try {
      for (PoolThread thread : this.threads) {
        InetSocketAddress at = found;
        Promise<InetSocketAddress> binding =
            Promise.of(thread.loop().submit(() -> listen(thread, at, shared)));
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

  private InetSocketAddress listen(PoolThread thread, InetSocketAddress at, ListenOptions options)
      throws Exception {
    TcpListener listener = Tcp.listen(at, options);
    thread.serves(this, listener);
    thread.loop().spawn(() -> accept(listener)).named("acceptor of " + listener.local());
    return listener.local();
  }

  private void accept(TcpListener listener) throws Exception {
    while (true) {
      TcpStream connection;
      try {
        connection = listener.accept();
      } catch (ClosedException end) {
        return;
      }
      Coroutine.spawn(
          () -> {
            try (connection) {
              handler.serve(connection);
            }
          });
    }
  }

  /// Where it listens.
  public InetSocketAddress local() {
    return local;
  }

  /// Accepts no more; connections that were accepted go on. Returns before the last listener is closed.
  @Override
  public void close() {
    threads.forEach(thread -> thread.stopServing(this));
  }
}
