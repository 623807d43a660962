// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;

/// Waiting for something to be open: a connection that is made, or one that comes. Until [#finish] it is the operation's
/// own: cancelled or surrendered, that closes it, or keeps it for the next who waits.
public interface Arrival<H> extends Operation {
  /// When it is complete: what is open now, which is the caller's to close; or throws why not.
  H finish() throws IOException;
}
