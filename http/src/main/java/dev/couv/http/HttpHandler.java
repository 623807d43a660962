// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// What answers requests: straight-line code in the coroutine of the connection.
@FunctionalInterface
public interface HttpHandler {
  /// The answer. It may wait for anything; the connection's next request waits for it.
  ///
  /// Thrown, an [HttpFailure] is answered as it says, and anything else is a 500 that the server's log tells of.
  Response handle(Request request) throws Exception;
}
