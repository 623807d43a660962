// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.coro.Scope;
import dev.couv.error.ClosedException;
import dev.couv.http.socket.FrameWriter.Frame;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The answers to pings, for which whoever receives does not wait: the other side may be one that asks and does not read. Of
/// those that find no room only the last is owed, and a coroutine waits with it.
final class Pongs {
  private final Outward out;
  private final Scope scope;

  private byte @Nullable [] owed;

  /// Whether a coroutine waits with what is owed.
  private boolean waits;

  Pongs(Outward out, Scope scope) {
    this.out = out;
    this.scope = scope;
  }

  /// The answer to a ping of that payload.
  void answer(byte[] payload) {
    owed = payload;
    if (waits) {
      return;
    }
    try {
      if (out.tryWrite(new Frame(FrameWriter.PONG, payload))) {
        owed = null;
      } else {
        scope.spawn(this::await).named("pong to " + out);
        waits = true;
      }
    } catch (IOException | ClosedException ending) {
      owed = null; // who receives sees it, too
    }
  }

  private void await() {
    try {
      for (byte[] payload; (payload = owed) != null; ) {
        owed = null;
        out.write(new Frame(FrameWriter.PONG, payload));
      }
    } catch (IOException ending) {
      // who receives sees it, too
    } finally {
      waits = false;
    }
  }
}
