// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One call on files: awaited as an operation, while some thread may work on it, or made at once on the calling thread.
/// Good for one use.
///
/// Cancelled, it is revoked, or ends by itself if a thread is inside it already; what it brings after that is released.
/// What it made is unmade, if it is known that nobody else made it.
public interface FileCall<T extends @Nullable Object> extends Request<T> {
  /// Makes it at once, blocking the calling thread.
  T now() throws IOException;

  /// Whether a thread is inside it, or will be, although whoever awaited it may have left.
  boolean isInFlight();

  /// Whether whoever leaves it must not go on before it has landed: it uses his buffers, or makes something that is to be
  /// unmade. Such a call does not last for ever.
  boolean mustLand();

  /// Waiting until it is in flight no more; ends at once if it is not.
  Operation landing();
}
