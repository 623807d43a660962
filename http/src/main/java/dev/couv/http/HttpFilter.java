// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// What stands before all that a server answers by: routes, files, WebSockets, and the answers 404 and 405.
///
/// ```java
/// server.filter((request, next) -> next.handle(request).withHeader("X-Frame-Options", "DENY"));
/// ```
///
/// Straight-line code in the coroutine of the request: what is before `next.handle` happens before it was looked at who answers, what is
/// behind it when there is an answer, of which a body that is streamed was not written yet.
@FunctionalInterface
public interface HttpFilter {
  /// The answer: the next one's, another one made of it, or one of its own.
  ///
  /// What was refused by an [HttpFailure] further in is an answer as any other here. Anything else that was thrown comes through, to be
  /// caught or let go. What an answer has to close ([Response#closing]) is closed, whatever becomes of the answer.
  ///
  /// @param next the filter behind this one, and at last the route
  Response handle(Request request, HttpHandler next) throws Exception;
}
