// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;

/// Something on its way out of a loop. Who leaves it does not stop it.
public interface Delivery extends Operation {
  /// When it is complete: throws what became of it, if it failed.
  void finish() throws IOException;
}
