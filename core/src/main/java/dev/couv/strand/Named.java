// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// A strand as those know it who only tell of it. Any thread.
public interface Named {
  /// Which one it is, of all in the process.
  long number();

  /// What it, and its thread, is called.
  String name();
}
