// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Waits in the loop for the end of one process and then tells its [Listener], whether anybody awaits that
/// or not.
public interface ExitWatch {
  /// The number of the process.
  long pid();

  /// Sends the process a signal, by its name. False if it has ended.
  boolean signal(String name) throws IOException;

  /// Sends a signal to the group that the process leads or has led. False if none is left of it.
  boolean signalGroup(String name) throws IOException;

  /// Hears of the end, once, on the loop's thread.
  interface Listener {
    /// It ended by itself with that code, or by the signal of that name.
    void ended(int code, @Nullable String signal);

    /// It ended, and how is not known.
    void lost(IOException reason);
  }
}
