// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Runs the echo servers side by side and prints one table. Started by `bench/echo`, which also says
/// what the options are.
///
/// For each case all servers are started, pinned to one core, and warmed up; then each is measured for
/// a short time in turn, again and again, with the load pinned to another core. What disturbs the
/// machine disturbs all of them alike, so of a round only the ratios to the first server count.
final class EchoComparison {
  private final EchoOptions options;

  private EchoComparison(EchoOptions options) {
    this.options = options;
  }

  static void main(String[] args) throws Exception {
    new EchoComparison(EchoOptions.parse(args)).run();
  }

  private void run() throws IOException, InterruptedException {
    EchoReport report = new EchoReport(options);
    for (EchoCase load : options.cases()) {
      List<EchoRound> rounds = new ArrayList<>();
      for (int batch = 0; batch < options.batches(); batch++) {
        rounds.addAll(measure(load, report));
      }
      report.add(load, rounds);
    }
    report.print(System.out);
  }

  /// One batch: fresh processes, so that a lucky or unlucky compilation does not decide.
  private List<EchoRound> measure(EchoCase load, EchoReport report)
      throws IOException, InterruptedException {
    List<EchoServer> servers = new ArrayList<>();
    try {
      for (EchoPeer peer : options.peers()) {
        EchoServer server = EchoServer.start(peer, options);
        servers.add(server);
        report.describe(peer, server.description());
        progress("%s: warming up %s", load, peer.label());
        server.load(load, options.warmUpMessages(), 1);
      }
      List<EchoRound> rounds = new ArrayList<>();
      for (int number = 1; number <= options.rounds(); number++) {
        progress("%s: round %d of %d", load, number, options.rounds());
        EchoRound round = new EchoRound();
        for (EchoServer server : servers) {
          // A few messages each, so that no connection is measured while it is being made.
          round.add(server.load(load, 4L * load.connections(), options.millis()));
        }
        rounds.add(round);
      }
      return rounds;
    } finally {
      servers.forEach(EchoServer::close);
    }
  }

  private static void progress(String format, Object... arguments) {
    System.err.println(String.format(format, arguments));
  }
}
