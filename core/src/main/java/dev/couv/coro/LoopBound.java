// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// An object that only the coroutines of one loop can use: a stream, an event, a coroutine. It is of no
/// use to another loop, and `-Dcouv.check=transfer` refuses to pass it there.
public interface LoopBound {
  /// Whether the caller may use it: it is a coroutine of the object's loop, or the loop's thread.
  boolean isHere();
}
