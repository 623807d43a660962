// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;

/// The wait of one coroutine for the first of some signals.
public interface SignalWait extends Operation {
  /// The name of the one that came, when the wait is complete.
  String finish() throws IOException;
}
