// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.coro.Event;
import dev.couv.error.ClosedException;
import dev.couv.signal.Signal;
import dev.couv.signal.SignalWatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The terminal has another size than when it was last told. Several changes while nobody waits are told as
/// one, with the last size; none is missed.
final class ResizeEvent extends Event<TerminalSize> {
  private final TtyStream terminal;
  private TerminalSize told;

  /// The system tells of changes by a signal, which is watched while the event is started.
  private @Nullable SignalWatch changes;

  ResizeEvent(TtyStream terminal) throws IOException {
    this.terminal = terminal;
    this.told = terminal.size();
  }

  /// The terminal is closed.
  void left() {
    fireOnLoop(null, new ClosedException(terminal + " is closed"));
  }

  @Override
  protected void onStart() {
    terminal.isWatchedBy(this);
    try {
      SignalWatch watch = Signal.watch(Signal.WINCH);
      changes = watch;
      watch.subscribe((signal, error) -> look());
    } catch (IOException refused) {
      fireOnLoop(null, refused);
      return;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    look(); // it may have changed while nobody listened
  }

  private void look() {
    if (!terminal.isOpen()) {
      return; // whoever is told of it knows
    }
    try {
      TerminalSize size = terminal.size();
      if (!size.equals(told)) {
        told = size;
        fireOnLoop(size, null);
      }
    } catch (IOException gone) {
      fireOnLoop(null, gone);
    }
  }

  @Override
  protected void onStop() {
    terminal.isLeftBy(this);
    SignalWatch watch = changes;
    changes = null;
    if (watch != null) {
      watch.close();
    }
  }

  /// Who is resumed instead of taking it has not seen it.
  @Override
  protected boolean keeps() {
    return true;
  }

  @Override
  protected boolean keepsAlive() {
    return true;
  }

  @Override
  public String toString() {
    return "a new size of " + terminal;
  }
}
