// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// What the layer above runs on an event loop, for those who look at the process from outside.
public interface Residents {
  /// How many there are.
  int count();

  /// What they are and where they wait, in words.
  String describe();
}
