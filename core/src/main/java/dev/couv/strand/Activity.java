// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// Who counts the strands of a group that can go on by themselves.
public interface Activity {
  /// One of its strands can go on by itself again: it is not [passive][Suspendable#isPassive] any more.
  void activated();

  /// One of its strands is passive from now on.
  void deactivated();
}
