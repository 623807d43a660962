package com.example;

import dev.couv.http.HttpServer;
import dev.couv.http.Request;
import dev.couv.http.Response;

/// What the service answers.
final class Greetings {
  private Greetings() {}

  static void routes(HttpServer server) {
    server.route("GET", "/greetings/{name}", Greetings::greet);
    server.route("GET", "/health", request -> Response.text("well"));
  }

  /// A handler is a coroutine: it may wait for whatever it likes.
  private static Response greet(Request request) {
    return Response.text("Hello, " + request.value("name") + "!");
  }
}
