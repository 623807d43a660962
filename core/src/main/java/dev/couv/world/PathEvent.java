// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// What happened at a path.
public enum PathEvent {
  /// It is there: made, or moved here.
  APPEARED,
  /// It is not there any more.
  DISAPPEARED,
  /// Its bytes changed.
  MODIFIED,
  /// Something else about it changed.
  ATTRIBUTES,
  /// The directory that is listened to was itself removed, or moved.
  GONE,
  /// The file system of the directory that is listened to was taken away.
  UNMOUNTED
}
