// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Echo servers side by side, under the load of `bench/c/load.c`. Started by `bench/echo`, which also says what the options are.
final class EchoContest {
  private static final int WARM_UP_GOES = 10;
  private static final int WARM_UP_MESSAGES = 150_000;
  private static final int WARM_UP_CONNECTIONS = 40_000;

  /// The beginning of a process, and that of its churn.
  private static final int FIRST_MILLIS = 5000;

  private static final int FIRST_CHURN_MILLIS = 3000;

  private final ContestOptions options;
  private final EchoPeers peers;
  private final Contest contest;

  private EchoContest(ContestOptions options) throws IOException {
    this.options = options;
    this.peers = new EchoPeers(options);
    this.contest = new Contest(options);
  }

  static void main(String[] args) throws Exception {
    Comparison.start(
        "50,1000,first,churn,churn-first,idle,udp,local,tls",
        5,
        "--millis",
        500,
        args,
        options -> {
          EchoContest echo = new EchoContest(options);
          for (String name : options.cases()) {
            echo.run(name);
          }
        });
  }

  private void run(String name) throws IOException, InterruptedException {
    switch (name) {
      case "50" ->
          steady(
              name, "TCP echo, 50 connections, by bytes of a message", 50, "64", "1024", "16384");
      case "1000" ->
          steady(name, "TCP echo, 1,000 connections, by bytes of a message", 1000, "1024");
      case "first" -> first();
      case "churn" -> churn();
      case "churn-first" -> firstChurn();
      case "idle" -> idle();
      case "udp" -> udp();
      case "local" -> local();
      case "tls" -> tls();
      default -> throw new IllegalArgumentException("no such case: " + name);
    }
  }

  private void steady(String name, String title, int connections, String... sizes)
      throws IOException, InterruptedException {
    Result result = contest.open(name, title, "message");
    for (String size : options.sizesOr(sizes)) {
      contest.warm(
          result,
          size,
          peers.tcp(),
          Transport.TCP,
          server -> warmUp(server, "tcp", connections, size, WARM_UP_MESSAGES),
          server -> load(server, "tcp", connections, size, 4 * connections, options.amount()));
    }
    contest.close(result);
  }

  private void first() throws IOException, InterruptedException {
    Result result =
        contest.open(
            "first",
            "TCP echo, 50 connections, the first five seconds of a process, by bytes of a message",
            "message");
    for (String size : options.sizesOr("64")) {
      contest.fresh(
          result,
          size,
          peers.tcp(),
          Transport.TCP,
          server -> load(server, "tcp", 50, size, 0, FIRST_MILLIS));
    }
    contest.close(result);
  }

  private void churn() throws IOException, InterruptedException {
    Result result =
        contest.open(
            "churn",
            "Connect, echo 64 bytes, close, warmed up, by connections at a time",
            "connection");
    for (String size : options.sizesOr("10", "50", "200")) {
      int connections = Integer.parseInt(size);
      contest.warm(
          result,
          size,
          peers.tcp(),
          Transport.TCP,
          server -> warmUp(server, "churn", connections, "64", WARM_UP_CONNECTIONS),
          server -> load(server, "churn", connections, "64", connections, options.amount()));
    }
    contest.close(result);
  }

  private void firstChurn() throws IOException, InterruptedException {
    Result result =
        contest.open(
            "churn-first",
            "Connect, echo 64 bytes, close, the first three seconds of a process, by connections at"
                + " a time",
            "connection");
    for (String size : options.sizesOr("50")) {
      contest.fresh(
          result,
          size,
          peers.tcp(),
          Transport.TCP,
          server -> load(server, "churn", Integer.parseInt(size), "64", 0, FIRST_CHURN_MILLIS));
    }
    contest.close(result);
  }

  private void udp() throws IOException, InterruptedException {
    Result result = contest.open("udp", "UDP echo, 50 peers, by bytes of a datagram", "datagram");
    for (String size : options.sizesOr("64", "512", "1400")) {
      contest.warm(
          result,
          size,
          peers.udp(),
          Transport.UDP,
          server -> warmUp(server, "udp", 50, size, WARM_UP_MESSAGES),
          server -> load(server, "udp", 50, size, 200, options.amount()));
    }
    contest.close(result);
  }

  private void local() throws IOException, InterruptedException {
    Result result =
        contest.open(
            "local", "Echo over local sockets, 50 connections, by bytes of a message", "message");
    for (String size : options.sizesOr("64", "1024", "16384")) {
      contest.warm(
          result,
          size,
          peers.local(),
          Transport.LOCAL,
          server -> warmUp(server, "unix", 50, size, WARM_UP_MESSAGES),
          server -> load(server, "unix", 50, size, 200, options.amount()));
    }
    contest.close(result);
  }

  /// A thousandth of the messages where each is a MiB: that is bulk.
  private void tls() throws IOException, InterruptedException {
    Result result =
        contest.open("tls", "TLS echo, 20 connections, by bytes of a message", "message");
    for (String size : options.sizesOr("64", "16384", "1048576")) {
      int messages = size.length() > 6 ? WARM_UP_MESSAGES / 1000 : WARM_UP_MESSAGES;
      contest.warm(
          result,
          size,
          peers.tls(),
          Transport.TCP,
          server -> warmUp(server, "tls", 20, size, messages),
          server -> load(server, "tls", 20, size, 20, 2 * options.amount()));
    }
    contest.close(result);
  }

  private void idle() throws IOException, InterruptedException {
    Result result =
        contest.open(
            "idle",
            "Memory of a connection that had one message and is idle, by connections",
            "connection");
    for (String size : options.sizesOr("2000", "8000", "19000")) {
      contest.fresh(
          result, size, peers.tcp(), Transport.TCP, server -> hold(server, Integer.parseInt(size)));
    }
    contest.close(result);
  }

  /// In several goes with new connections each. A JIT compiler replaces what is called often, not what
  /// runs already: the frames at the bottom of the first threads' stacks are interpreted for ever, and
  /// make every switch of these threads slower.
  private Sample warmUp(
      RunningServer server, String kind, int connections, String size, int messages)
      throws IOException, InterruptedException {
    // What is compiled already has only its caches to fill.
    int goes = server.contender().isJava() ? WARM_UP_GOES : 1;
    long deadline = System.nanoTime() + Contest.WARM_UP_NANOS;
    for (int go = 1; go < goes && System.nanoTime() < deadline; go++) {
      load(server, kind, connections, size, messages / WARM_UP_GOES, 1);
    }
    return load(server, kind, connections, size, messages / WARM_UP_GOES, 1);
  }

  /// So many messages, and then so long.
  private Sample load(
      RunningServer server, String kind, int connections, String size, int messages, int millis)
      throws IOException, InterruptedException {
    return Sample.ofLoad(
        Load.output(
            options.loadCore(),
            List.of(
                options.program("load"),
                kind,
                server.address(),
                String.valueOf(connections),
                size,
                String.valueOf(messages),
                String.valueOf(millis),
                String.valueOf(server.pid()))));
  }

  /// Of a server that has served others before: what the first of them make grow is not what one more costs, and a stack has a fraction of the
  /// size once its methods are compiled, also those that a connection calls once.
  private Sample hold(RunningServer server, int connections)
      throws IOException, InterruptedException {
    warmUp(server, "tcp", 50, "64", WARM_UP_MESSAGES);
    warmUp(server, "churn", 50, "64", WARM_UP_CONNECTIONS);
    held(server, 200);
    long before = server.residentAfterCollection();
    double grown = held(server, connections) - before;
    return Sample.ofLines("memory " + Math.max(1, grown / connections));
  }

  private long held(RunningServer server, int connections)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            options.program("load"),
            "idle",
            server.address(),
            String.valueOf(connections),
            "64",
            "0",
            "0",
            "0");
    Process load =
        RunningServer.start(
            RunningServer.onCores(options.loadCore(), command)
                .redirectError(ProcessBuilder.Redirect.INHERIT));
    try (var said = load.inputReader()) {
      if (said.readLine() == null) {
        throw new IOException(server.contender().label() + " did not take " + connections);
      }
      return server.residentAfterCollection();
    } finally {
      load.getOutputStream().close();
      if (!load.waitFor(10, TimeUnit.SECONDS)) {
        load.destroyForcibly();
      }
    }
  }
}
