// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.net.TcpStream;

/// What a server does with one connection, in a coroutine of its own. The connection is closed when it
/// ends.
@FunctionalInterface
public interface ConnectionHandler {
  void serve(TcpStream connection) throws Exception;
}
