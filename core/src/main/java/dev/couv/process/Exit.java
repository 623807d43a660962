// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.signal.Signal;

/// How a process ended.
public sealed interface Exit {
  /// It ended by itself.
  ///
  /// @param value what it said about that; 0 means that all went well, by custom
  record Code(int value) implements Exit {}

  /// A signal ended it.
  ///
  /// @param signal which one
  record Signalled(Signal signal) implements Exit {}

  /// Whether it ended by itself with the code 0.
  default boolean isSuccess() {
    return this instanceof Code code && code.value() == 0;
  }
}
