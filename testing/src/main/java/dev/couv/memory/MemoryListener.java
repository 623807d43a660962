// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.ListenHandle;
import dev.couv.world.Request;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;

/// What listens on a machine in memory, and the connections that nobody has accepted yet.
abstract class MemoryListener<H extends StreamHandle> extends MemoryHandle
    implements ListenHandle<H> {
  private final Class<H> kind;
  private final int backlog;
  private final ArrayDeque<End> waiting = new ArrayDeque<>();

  MemoryListener(MemoryProcess process, EventLoop loop, Class<H> kind, int backlog) {
    super(process, loop);
    this.kind = kind;
    this.backlog = backlog;
  }

  final boolean hasRoom() {
    return waiting.size() <= backlog;
  }

  final void arrived(End connection) {
    waiting.add(connection);
    changed();
  }

  @Override
  public final Request<H> accept() {
    return new Accept();
  }

  private final class Accept extends Until implements Request<H> {
    Accept() {
      super("accept from");
    }

    @Override
    boolean holds() {
      return !waiting.isEmpty();
    }

    @Override
    public H finish() throws IOException {
      if (!isOpen()) {
        throw Failures.closedWhile(MemoryListener.this, "accepting");
      }
      return kind.cast(waiting.remove().handle(loop()));
    }
  }

  /// It is found no more.
  abstract void leave();

  @Override
  final void closing() {
    leave();
    for (End left : new ArrayList<>(waiting)) {
      left.abort();
    }
    waiting.clear();
  }
}
