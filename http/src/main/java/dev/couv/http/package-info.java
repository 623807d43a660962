// SPDX-License-Identifier: Apache-2.0

/// HTTP servers and clients, and WebSockets, whose handlers are straight-line code.
///
/// ```java
/// try (var server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
///     var client = WebClient.open()) {
///   server.route("GET", "/users/{id}", request -> Response.text("user " + request.value("id")));
///   Coroutine.spawn(server::serve);
///   try (var answer = client.get("http://127.0.0.1:" + server.local().getPort() + "/users/7")) {
///     String text = answer.text(1 << 20);
///   }
/// }
/// ```
///
/// A handler answers by a [Response], or by an [HttpFailure] with its status. Every size and every time has a limit ([HttpLimits],
/// [ServerOptions], [ClientOptions]).
package dev.couv.http;
