// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.loop.Turns;
import dev.couv.strand.Suspension;
import dev.couv.world.ListenHandle;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.util.function.Function;

/// What listens at a handle of the world, and who accepts from it: one coroutine at a time, and several that iterate in turns.
public abstract class NativeListener<H extends StreamHandle, L extends ListenHandle<H>, S>
    implements LoopBound {
  private final L handle;
  private final Function<? super H, ? extends S> streams;
  private final Turns turns;

  /// A listener at that handle, which is its own from now on; `streams` makes what users get of a connection.
  protected NativeListener(L handle, Function<? super H, ? extends S> streams) {
    this.handle = handle;
    this.streams = streams;
    turns = new Turns(handle);
  }

  /// The handle, which stays its own.
  protected final L handle() {
    return handle;
  }

  /// Waits for the next connection.
  public S accept() throws IOException {
    takeTurn();
    return acceptInTurn();
  }

  final void takeTurn() throws IOException {
    handle.checkUsable();
    if (turns.ask("accept from") != null) {
      throw new BusyException(handle + ": another coroutine is already accepting");
    }
  }

  /// As [#accept], but behind those who accept already.
  protected final S acceptNext() throws IOException {
    Suspension.takeTurn(turns, "accept from");
    return acceptInTurn();
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
    return streams.apply(Suspension.answer(handle.accept()));
  }

  @Override
  public boolean isHere() {
    return handle.loop().isInside();
  }

  /// Whether it was not closed yet.
  public boolean isOpen() {
    return handle.isOpen();
  }

  /// Closes it and wakes whoever waits.
  public void close() {
    handle.close();
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
