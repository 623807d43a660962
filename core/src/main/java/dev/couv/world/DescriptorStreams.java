// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Streams over descriptors that the process has already. `name` is what they are in messages.
public interface DescriptorStreams {
  /// The end of a pipe: the descriptor is the stream's own from now on, also if this fails.
  StreamHandle pipe(EventLoop loop, int descriptor, String name) throws IOException;

  /// A pipe, opened anew, so that not to block is a matter of this stream alone. Null if that cannot be done.
  @Nullable StreamHandle pipeAnew(EventLoop loop, int descriptor, String name) throws IOException;

  /// A terminal, opened anew if that can be done; the descriptor stays the caller's.
  TerminalHandle terminal(EventLoop loop, int descriptor, String name) throws IOException;
}
