// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.UvException;
import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeListener;
import dev.couv.wire.Served;
import dev.couv.wire.Serving;
import dev.couv.world.ListenHandle;
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

/// A listener of sockets, as users see it.
abstract class SocketListener<
        H extends StreamHandle, L extends ListenHandle<H>, S extends ByteStream>
    extends NativeListener<H, L, S> implements StreamListener<S> {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  SocketListener(L handle, Function<? super H, ? extends S> streams) {
    super(handle, streams);
  }

  /// What listens, which stays its own.
  final L socket() {
    return handle();
  }

  @Override
  public void serve(Handler<? super S> handler, ServeOptions options) throws IOException {
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(options, "options");
    Serving<S> serving =
        new Serving<S>(
            options.limit(),
            options.whenFull() == WhenFull.WAIT,
            options.grace(),
            options.onFailure(),
            handler::serve,
            ByteStream::close);
    Served<S> served = new Served<>(this, serving, _ -> {});
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

  private final class Connections implements Iterator<S> {
    private @Nullable S next;

    @Override
    public boolean hasNext() {
      while (next == null && isOpen()) {
        try {
          next = acceptNext();
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
        throw new NoSuchElementException(SocketListener.this + " is closed");
      }
      S taken = Objects.requireNonNull(next);
      next = null;
      return taken;
    }
  }
}
