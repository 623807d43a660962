// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;

/// Descriptors that belong to somebody else, to wait for.
public interface ForeignDescriptors {
  /// What waits for that descriptor, of which a loop has one. It must be released.
  ///
  /// @throws IOException if it cannot be waited for
  PollHandle hold(EventLoop loop, int descriptor) throws IOException;
}
