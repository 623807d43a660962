// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// Which end of a channel somebody is at. [#IN] and [#OUT] meet each other; [#ANY] meets all three.
public enum Endpoint {
  /// Takes: where [Chan#receive] is.
  IN,
  /// Gives: where [Chan#send] is.
  OUT,
  /// Whichever the other is not.
  ANY;

  /// By the names of the seeds: `in`, `out`, `any`.
  ///
  /// @throws IllegalArgumentException for any other
  public static Endpoint of(String name) {
    return switch (name) {
      case "in" -> IN;
      case "out" -> OUT;
      case "any" -> ANY;
      default ->
          throw new IllegalArgumentException("invalid endpoint '" + name + "': in, out or any");
    };
  }
}
