// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Something that is open outside of a loop, for that loop alone. Whoever opened it closes it; what is open when the loop
/// ends is closed by it. `toString` is its name in messages.
public interface Handle {
  EventLoop loop();

  boolean isOpen();

  /// Throws what a call on a closed one, or from a foreign thread, deserves.
  void checkUsable() throws ClosedChannelException;

  /// Closes it, and completes what is awaited of it: that then fails. Does nothing the second time.
  void close();

  /// What else is to be done when it is closed, by whomever, instead of what was asked for before; null for nothing. On
  /// the loop's thread, perhaps in a callback.
  void whenClosed(@Nullable Runnable action);
}
