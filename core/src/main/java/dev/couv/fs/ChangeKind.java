// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

/// What happened to a path that is watched.
public enum ChangeKind {
  /// It is there: made, or moved here.
  CREATED,
  /// Its bytes changed.
  MODIFIED,
  /// Its permissions, owner or times changed.
  ATTRIBUTES,
  /// It is gone: removed, or moved elsewhere.
  REMOVED,
  /// More happened than could be kept, and the rest is lost: look at everything again. The path is the
  /// one that is watched.
  OVERFLOW
}
