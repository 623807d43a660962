// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.stream.Detached;
import dev.couv.world.LooseStream;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.util.function.Function;

/// A connection between two loops, which is closed if nobody refers to it any more.
final class DetachedSocket<H extends StreamHandle, S extends ByteStream> implements Detached<S> {
  private static final Cleaner CLEANER = Cleaner.create();

  private final LooseStream<H> loose;
  private final Function<? super H, ? extends S> streams;

  DetachedSocket(LooseStream<H> loose, Function<? super H, ? extends S> streams) {
    this.loose = loose;
    this.streams = streams;
    CLEANER.register(this, loose::close);
  }

  @Override
  public S adopt() throws IOException {
    return streams.apply(loose.adopt(Suspension.loop("adopt")));
  }

  @Override
  public boolean isClosed() {
    return loose.isGone();
  }

  @Override
  public void close() {
    loose.close();
  }

  @Override
  public String toString() {
    return loose.toString();
  }
}
