// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

/// A file as it was opened, with the place that all share who have it.
final class Description {
  final Tree.Place at;
  final Inode inode;
  final boolean reads;
  final boolean writes;
  final boolean appends;

  /// Whether it is at its end always, and keeps nothing.
  final boolean isNowhere;

  long place;

  Description(
      Tree.Place at,
      Inode inode,
      boolean reads,
      boolean writes,
      boolean appends,
      boolean isNowhere) {
    this.at = at;
    this.inode = inode;
    this.reads = reads;
    this.writes = writes;
    this.appends = appends;
    this.isNowhere = isNowhere;
  }
}
