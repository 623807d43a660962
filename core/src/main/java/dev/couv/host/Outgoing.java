// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Conditions;
import dev.couv.loop.Operation;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.UvErrors;
import org.jspecify.annotations.Nullable;

/// A stream's direction of writing: the request that somebody awaits, of which there is one at a time, because writers take
/// turns, and how many were left that libuv still has. Without waiting for those, everyone who gives up on a peer that does
/// not read would leave another piece in memory.
final class Outgoing {
  private final Object stream;
  private @Nullable RequestOperation awaited;
  private int left;

  /// Whoever waits until none is left; made for the first.
  private @Nullable Conditions waiting;

  Outgoing(Object stream) {
    this.stream = stream;
  }

  /// That request is the one to end when the stream is closed; null for none.
  void await(@Nullable RequestOperation request) {
    awaited = request;
  }

  /// The request that was awaited is given up, but libuv still has it.
  void leave() {
    awaited = null;
    left++;
  }

  /// A request that was given up has ended.
  void drained() {
    if (left > 0 && --left == 0) {
      tell();
    }
  }

  /// Whether libuv still has one that was given up: also a shutdown, behind which nothing is written.
  boolean isLeft() {
    return left > 0;
  }

  /// What is to be awaited until none is left, or the stream is closed; null if that is so.
  @Nullable Operation leftovers() {
    if (left == 0) {
      return null;
    }
    Conditions line = waiting;
    if (line == null) {
      line = new Conditions();
      waiting = line;
    }
    return line.until(() -> left == 0, "an earlier write to " + stream);
  }

  /// The stream is closed: whoever waits is told.
  void close() {
    RequestOperation ended = awaited;
    awaited = null;
    if (ended != null) {
      ended.endEarly(UvErrors.UV_ECANCELED); // and its writer passes the turn on to those who queue
    }
    left = 0;
    tell();
  }

  private void tell() {
    if (waiting != null) {
      waiting.changed();
    }
  }
}
