// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.BusyException;
import dev.couv.error.UvException;
import dev.couv.loop.Operation;
import dev.couv.loop.Turns;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.world.ListenHandle;
import dev.couv.world.Request;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Who accepts from a listener: one coroutine at a time, and several that iterate in turns.
final class Acceptor<H extends StreamHandle, S extends ByteStream> implements Iterable<S> {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  private final ListenHandle<H> handle;
  private final Function<? super H, ? extends S> streams;
  private final Turns turns;

  Acceptor(ListenHandle<H> handle, Function<? super H, ? extends S> streams) {
    this.handle = handle;
    this.streams = streams;
    turns = new Turns(handle);
  }

  S accept() throws IOException {
    takeTurn();
    return acceptInTurn();
  }

  private void takeTurn() throws IOException {
    handle.checkUsable();
    if (turns.take("accept from") != null) {
      throw new BusyException(handle + ": another coroutine is already accepting");
    }
  }

  /// With the turn taken, which it passes on.
  private S acceptInTurn() throws IOException {
    try {
      return next();
    } finally {
      turns.pass();
    }
  }

  private S next() throws IOException {
    handle.checkUsable();
    Request<? extends H> accept = handle.accept();
    Suspension.await(accept);
    return streams.apply(accept.finish());
  }

  /// Has the turn from the first connection to the last, also while it waits for room: nobody takes one in between.
  void serve(Handler<? super S> handler, ServeOptions options) throws IOException {
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(options, "options");
    Served<S> served = new Served<>(handle, options, handler);
    try {
      takeTurn();
    } catch (ClosedChannelException closed) {
      return;
    }
    try {
      served.acceptFrom(handle, this::next, served::isFull, served::begin);
    } finally {
      turns.pass();
      served.end();
    }
  }

  @Override
  public Iterator<S> iterator() {
    return new Connections();
  }

  private final class Connections implements Iterator<S> {
    private @Nullable S next;

    @Override
    public boolean hasNext() {
      while (next == null && handle.isOpen()) {
        try {
          Operation turn = turns.take("accept from");
          if (turn != null) {
            Suspension.await(turn);
          }
          next = acceptInTurn();
        } catch (ClosedChannelException closed) {
          break;
        } catch (UvException failed) {
          if (!failed.code().equals("EMFILE") && !failed.code().equals("ENFILE")) {
            throw new UncheckedIOException(failed);
          }
          LOG.log(Level.WARNING, "connections wait until there are descriptors", failed);
        } catch (IOException failed) {
          throw new UncheckedIOException(failed);
        }
      }
      return next != null;
    }

    @Override
    public S next() {
      if (!hasNext()) {
        throw new NoSuchElementException(handle + " is closed");
      }
      S taken = Objects.requireNonNull(next);
      next = null;
      return taken;
    }
  }
}
