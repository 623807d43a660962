// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A question to what is outside of a loop, as an operation: whoever has awaited it takes the answer. Where the answer is
/// something open, it is the operation's own until [#finish], and the caller's to close after that: cancelled or surrendered,
/// the operation closes it, or keeps it for the next who waits.
public interface Request<T extends @Nullable Object> extends Operation {
  /// The answer. Called once, after completion, before its waiter awaits anything else.
  T finish() throws IOException;
}
