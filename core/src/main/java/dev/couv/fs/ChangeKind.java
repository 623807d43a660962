// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.world.PathEvent;
import org.jspecify.annotations.Nullable;

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
  OVERFLOW;

  /// How users hear of it; null if they hear of its directory instead.
  static @Nullable ChangeKind of(PathEvent event) {
    return switch (event) {
      case APPEARED -> CREATED;
      case DISAPPEARED -> REMOVED;
      case MODIFIED -> MODIFIED;
      case ATTRIBUTES -> ATTRIBUTES;
      case GONE, UNMOUNTED -> null;
    };
  }
}
