// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.LooseStream;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// A connection in memory that is on no loop.
final class LooseEnd<H extends StreamHandle> implements LooseStream<H> {
  private enum State {
    LOOSE,
    ADOPTED,
    CLOSED
  }

  private final Class<H> kind;
  private final End end;
  private final ArrayDeque<ByteBuffer> left;
  private final String name;
  private State state = State.LOOSE;

  LooseEnd(Class<H> kind, End end, ArrayDeque<ByteBuffer> left, String name) {
    this.kind = kind;
    this.end = end;
    this.left = left;
    this.name = name;
  }

  @Override
  public synchronized H adopt(EventLoop loop) throws IOException {
    switch (state) {
      case LOOSE -> {}
      case ADOPTED -> throw new IllegalStateException(name + " was adopted already");
      case CLOSED -> throw Failures.closed(name);
    }
    MemoryStream stream = end.handle(loop);
    stream.takeUp(left);
    state = State.ADOPTED;
    return kind.cast(stream);
  }

  @Override
  public synchronized void close() {
    if (state == State.LOOSE) {
      state = State.CLOSED;
      end.released();
    }
  }

  @Override
  public synchronized boolean isGone() {
    return state != State.LOOSE;
  }
}
