// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import dev.couv.loop.EventLoop;
import dev.couv.loop.OwnDescriptors;
import dev.couv.strand.Suspension;
import java.io.IOException;

/// Waiting for descriptors that Couv does not own: those of a native library, a device, an `eventfd`.
///
/// ```java
/// try (var readable = Poll.open(fd, Readiness.READABLE)) {
///   readable.await();
///   …                                     // read from it, with whatever opened it
/// }
/// ```
///
/// Any number of events may be made for one descriptor, in the same direction and in different ones:
/// they share one native handle. The descriptor is set to non-blocking mode, and must stay open until
/// every event on it is closed. That of a stream of Couv's, such as a `TcpStream`, is refused: its reader would
/// never be told.
public final class Poll {
  private Poll() {}

  /// An event that happens whenever the descriptor is ready for one of those, and tells for which.
  ///
  /// @throws IOException if it cannot be polled: it is not open, or it is an ordinary file
  /// @throws IllegalArgumentException if it is negative, a stream of Couv's has it, or nothing is wanted
  public static PollEvent open(int descriptor, Readiness... wanted) throws IOException {
    if (descriptor < 0) {
      throw new IllegalArgumentException("Poll.open: descriptor " + descriptor);
    }
    if (wanted.length == 0) {
      throw new IllegalArgumentException("Poll.open: nothing to wait for");
    }
    OwnDescriptors.check(descriptor);
    EventLoop loop = Suspension.loop("Poll.open");
    return new PollEvent(
        Suspension.world().descriptors().hold(loop, descriptor), Readiness.mask(wanted));
  }

  /// The older name of [#open].
  public static PollEvent on(int descriptor, Readiness... wanted) throws IOException {
    return open(descriptor, wanted);
  }
}
