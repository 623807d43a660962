// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// What a server does with one connection, in a coroutine of its own. The connection is closed when it
/// ends; what it throws concerns that connection alone.
@FunctionalInterface
public interface Handler<S> {
  /// Serves one connection; returns, or throws, when it is over.
  void serve(S connection) throws Exception;
}
