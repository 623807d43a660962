// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;

/// A stream that is a terminal.
public interface TerminalHandle extends StreamHandle {
  /// How many characters are seen of it.
  record Size(int columns, int rows) {}

  /// Its size now.
  Size size() throws IOException;
}
