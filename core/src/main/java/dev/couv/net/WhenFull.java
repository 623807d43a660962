// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// What becomes of connections that come while a server has as many as it may have.
public enum WhenFull {
  /// Those that come wait in the system's backlog until one of the others has ended.
  WAIT,
  /// Those that come are closed at once.
  REFUSE
}
