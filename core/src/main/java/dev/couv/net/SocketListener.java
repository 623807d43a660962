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

/// A listener of sockets, and who accepts from it: one coroutine at a time, and several that iterate in turns.
abstract class SocketListener<
        H extends StreamHandle, L extends ListenHandle<H>, S extends ByteStream>
    implements StreamListener<S> {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  private final L handle;
  private final Function<? super H, ? extends S> streams;
  private final Turns turns;

  SocketListener(L handle, Function<? super H, ? extends S> streams) {
    this.handle = handle;
    this.streams = streams;
    turns = new Turns(handle);
  }

  final L handle() {
    return handle;
  }

  @Override
  public S accept() throws IOException {
    takeTurn();
    return acceptInTurn();
  }

  final void takeTurn() throws IOException {
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
      passTurn();
    }
  }

  final void passTurn() {
    turns.pass();
  }

  /// With the turn taken.
  final S next() throws IOException {
    handle.checkUsable();
    Request<? extends H> accept = handle.accept();
    Suspension.await(accept);
    return streams.apply(accept.finish());
  }

  @Override
  public void serve(Handler<? super S> handler, ServeOptions options) throws IOException {
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(options, "options");
    Served<S> served = new Served<>(this, options, handler, _ -> {});
    try {
      served.acceptFrom(this, served::isFull, served::begin);
    } finally {
      served.end();
    }
  }

  @Override
  public Iterator<S> iterator() {
    return new Connections();
  }

  @Override
  public boolean isHere() {
    return handle.loop().isInside();
  }

  @Override
  public boolean isOpen() {
    return handle.isOpen();
  }

  @Override
  public void close() {
    handle.close();
  }

  @Override
  public String toString() {
    return handle.toString();
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
