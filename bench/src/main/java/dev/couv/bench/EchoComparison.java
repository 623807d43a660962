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
/// machine disturbs all of them alike, so of a round only the ratios to the first server count; a
/// round that was disturbed a lot is repeated, but not for ever.
final class EchoComparison {
  private static final int WARM_UP_GOES = 10;

  private final EchoOptions options;

  private EchoComparison(EchoOptions options) {
    this.options = options;
  }

  static void main(String[] args) throws Exception {
    EchoOptions options;
    try {
      options = EchoOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; bench/echo --help lists the options");
      System.exit(2);
      return;
    }
    new EchoComparison(options).run();
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
        warmUp(server, load);
      }
      List<EchoRound> rounds = new ArrayList<>();
      int repetitions = 0;
      while (rounds.size() < options.rounds()) {
        progress("%s: round %d of %d", load, rounds.size() + 1, options.rounds());
        EchoRound round = round(servers, load);
        if (round.isDisturbed() && repetitions < 2 * options.rounds()) {
          repetitions++;
        } else {
          rounds.add(round);
        }
      }
      return rounds;
    } finally {
      servers.forEach(EchoServer::close);
    }
  }

  private EchoRound round(List<EchoServer> servers, EchoCase load)
      throws IOException, InterruptedException {
    EchoRound round = new EchoRound();
    for (EchoServer server : servers) {
      // A few messages each, so that no connection is measured while it is being made.
      round.add(server.load(load, 4L * load.connections(), options.millis()));
    }
    return round;
  }

  /// In several goes with new connections each. A JIT compiler replaces what is called often, not what
  /// runs already: the frames at the bottom of the first threads' stacks are interpreted for ever, and
  /// make every switch of these threads slower.
  private void warmUp(EchoServer server, EchoCase load) throws IOException, InterruptedException {
    for (int go = 0; go < WARM_UP_GOES; go++) {
      server.load(load, options.warmUpMessages() / WARM_UP_GOES, 1);
    }
  }

  private static void progress(String format, Object... arguments) {
    System.err.println(String.format(format, arguments));
  }
}
