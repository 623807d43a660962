// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.nio.file.OpenOption;

/// An option beside the JDK's, of [FileCalls#open].
public enum AtOnce implements OpenOption {
  /// Opening does not wait for whoever has the other end of a named pipe or of a line. A world without such files need not know it.
  AT_ONCE
}
