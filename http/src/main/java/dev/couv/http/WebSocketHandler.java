// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// Serves the WebSockets of a path, each in the coroutine of its connection.
@FunctionalInterface
public interface WebSocketHandler {
  /// Speaks with the other side. The socket is closed when this returns, and when it throws, then with the code 1011.
  void handle(WebSocket socket) throws Exception;
}
