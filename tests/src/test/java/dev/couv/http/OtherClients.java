// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.Needed;
import dev.couv.coro.Loop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What tests have for clients that nobody here wrote: what these ask for, and how they are run.
final class OtherClients {
  private OtherClients() {}

  /// `/hello` tells the version of HTTP and a name, `/echo` sends back what it is sent.
  static void routes(HttpServer server, HttpHandler echo) {
    server.route(
        "GET",
        "/hello",
        request -> Response.text(request.version() + " " + request.parameter("name")));
    server.route("PUT", "/echo", echo);
    server.route("POST", "/echo", echo);
    server.route("POST", "/no", _ -> Response.text("no").withStatus(403));
  }

  /// With all of it read first: most clients of HTTP/1.1 read only when they have written.
  static void patient(HttpServer server) {
    routes(server, OtherClients::echoAtTheEnd);
  }

  /// While it still comes.
  static void eager(HttpServer server) {
    routes(server, OtherClients::echoAtOnce);
  }

  private static Response echoAtTheEnd(Request request) throws IOException {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (ByteBuffer piece; (piece = request.body().read()) != null; ) {
      pieces.add(piece);
    }
    return Response.stream(
        "application/octet-stream",
        out -> {
          for (ByteBuffer piece : pieces) {
            out.write(piece);
          }
        });
  }

  private static Response echoAtOnce(Request request) {
    return Response.stream(
        "application/octet-stream",
        out -> {
          for (ByteBuffer piece; (piece = request.body().read()) != null; ) {
            out.write(piece);
          }
        });
  }

  /// What a program says, if it ends well.
  static String run(String... command) throws Exception {
    Needed.program(command[0]);
    return Loop.offload(
        () -> {
          Process process =
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectInput(Path.of("/dev/null").toFile())
                  .start();
          String said = new String(process.getInputStream().readAllBytes(), UTF_8);
          return process.waitFor() == 0 ? said : "failed: " + said;
        });
  }

  /// A file of so many bytes, always the same.
  static Path random(Path directory, String name, int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return Files.write(directory.resolve(name), bytes);
  }
}
