// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// What a comparison was asked for.
///
/// @param root the checkout
/// @param place where built programs are, and what is printed goes
/// @param peers the servers by their labels; empty for all
/// @param amount of one go of the load, in units of its own
record ContestOptions(
    String commandLine,
    Path root,
    Path place,
    List<String> peers,
    List<String> cases,
    int rounds,
    int amount,
    int serverCore,
    int loadCore) {

  /// The first three arguments are the script's: its name, the checkout, and the place.
  static ContestOptions parse(String cases, String amountName, int defaultAmount, String... args) {
    List<String> peers = List.of();
    List<String> chosen = list(cases);
    int rounds = 5;
    int amount = defaultAmount;
    int serverCore = 0;
    int loadCore = 1;
    for (int i = 3; i < args.length; i++) {
      String option = args[i];
      String value = i + 1 < args.length ? args[++i] : "";
      if (option.equals(amountName)) {
        amount = Integer.parseInt(value);
        continue;
      }
      switch (option) {
        case "--peers" -> peers = list(value);
        case "--cases" -> chosen = list(value);
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--server-core" -> serverCore = Integer.parseInt(value);
        case "--load-core" -> loadCore = Integer.parseInt(value);
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    List<String> own = Arrays.asList(args).subList(3, args.length);
    String line = (args[0] + " " + String.join(" ", own)).strip();
    Path root = Path.of(args[1]);
    Path place = Path.of(args[2]);
    return new ContestOptions(
        line, root, place, peers, chosen, rounds, amount, serverCore, loadCore);
  }

  private static List<String> list(String text) {
    return List.of(text.split(",", -1));
  }

  /// Those of the contenders that were asked for, in the order in which they were.
  List<Contender> choose(List<Contender> all) {
    if (peers.isEmpty()) {
      return all;
    }
    return peers.stream()
        .flatMap(label -> all.stream().filter(contender -> contender.label().equals(label)))
        .toList();
  }
}
