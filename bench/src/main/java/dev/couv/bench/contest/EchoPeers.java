// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import dev.couv.bench.echo.CouvDatagrams;
import dev.couv.bench.echo.CouvEcho;
import dev.couv.bench.echo.CouvTls;
import dev.couv.bench.echo.NettyEcho;
import dev.couv.bench.echo.NettyTls;
import dev.couv.bench.echo.VertxEcho;
import dev.couv.bench.echo.VirtualThreadEcho;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Who echoes. The first of each list is what the others are measured by.
record EchoPeers(ContestOptions options) {
  List<Contender> tcp() {
    return List.of(
        libuv("echo_server"),
        Contender.ofBuilt("c-io_uring", "liburing-dev", options.program("uring_server")),
        Contender.ofBuilt("tokio", "cargo librust-tokio-dev", options.program("tokio_server")),
        couv("couv", "borrow"),
        couv("couv-read", "read"),
        couv("couv-direct", "direct"),
        Contender.ofProgram(
            "luv",
            "luajit lua-luv",
            List.of("luajit", options.file("peers/echo.lua"), "version"),
            port -> List.of("luajit", options.file("peers/echo.lua"), port)),
        Contender.ofBuilt("go", "golang-go", options.program("echo_go")),
        netty("netty", "epoll"),
        netty("netty-nio", "nio"),
        Contender.ofJava("vertx", "Vert.x " + Contender.version("vertx-core"), VertxEcho.class),
        Contender.ofJava(
            "jdk-virtual-threads", "blocking sockets, " + Contender.jdk(), VirtualThreadEcho.class),
        node("peers/echo.js"));
  }

  List<Contender> udp() {
    return List.of(
        libuv("udp_server"),
        Contender.ofJava("couv", "Couv, " + Contender.jdk(), CouvDatagrams.class),
        node("peers/udp.js"));
  }

  List<Contender> local() {
    return List.of(
        libuv("echo_server"),
        couv("couv", "borrow"),
        couv("couv-direct", "direct"),
        couv("couv-read", "read"),
        node("peers/echo.js"));
  }

  List<Contender> tls() {
    String certificate = options.place().resolve("tls/certificate.pem").toString();
    String key = options.place().resolve("tls/key.pem").toString();
    String netty =
        "Netty %s, epoll, the JDK's engine".formatted(Contender.version("netty-transport"));
    List<Contender> servers =
        List.of(
            Contender.ofJava("netty", netty, NettyTls.class, certificate, key),
            Contender.ofJava("couv", "Couv, " + Contender.jdk(), CouvTls.class, certificate, key));
    // Without OpenSSL there is no load that speaks TLS, and no certificate.
    return Files.exists(Path.of(certificate))
        ? servers
        : servers.stream().map(server -> server.without("libssl-dev")).toList();
  }

  private Contender libuv(String program) {
    return Contender.ofBuilt("c-libuv", "libuv1-dev", options.program(program));
  }

  private static Contender couv(String label, String buffer) {
    String how =
        switch (buffer) {
          case "borrow" -> "bytes borrowed from the stream";
          case "read" -> "a new buffer for what has come";
          default -> "a direct buffer per connection";
        };
    return Contender.ofJava(label, "Couv, " + how + ", " + Contender.jdk(), CouvEcho.class, buffer);
  }

  private static Contender netty(String label, String transport) {
    String what = "Netty %s, %s".formatted(Contender.version("netty-transport"), transport);
    return Contender.ofJava(label, what, NettyEcho.class, transport);
  }

  private Contender node(String script) {
    return Contender.ofProgram(
        "node",
        "nodejs",
        List.of("node", "--version"),
        at -> List.of("node", options.file(script), at));
  }
}
