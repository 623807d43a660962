// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

/// Waits in the loop for the end of one process and then tells its [Child], whether anybody awaits that
/// or not: else a zombie would be left.
sealed interface ExitWatch permits PidfdWatch, ProcessWatch {
  int pid();

  /// Sends a signal: 0, or a negative code.
  int signal(int number);
}
