// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// What a comparison was asked for.
///
/// @param script its name, which is also that of its results
/// @param root the checkout
/// @param place where built programs are, and what is printed goes
/// @param peers the contenders by their labels; empty for all
/// @param sizes empty for those of the case
/// @param amount of one go of the load, in units of its own
record ContestOptions(
    String script,
    String commandLine,
    Path root,
    Path place,
    List<String> peers,
    List<String> cases,
    List<String> sizes,
    int rounds,
    int amount,
    String serverCore,
    String loadCore) {

  /// The first three arguments are the script's: its name, the checkout, and the place.
  static ContestOptions parse(
      String cases, int defaultRounds, String amountName, int defaultAmount, String... args) {
    List<String> peers = List.of();
    List<String> chosen = list(cases);
    List<String> sizes = List.of();
    int rounds = defaultRounds;
    int amount = defaultAmount;
    String serverCore = "0";
    String loadCore = "1";
    for (int i = 3; i < args.length; i++) {
      String option = args[i];
      if (++i == args.length) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      String value = args[i];
      if (option.equals(amountName)) {
        amount = Integer.parseInt(value);
        continue;
      }
      switch (option) {
        case "--peers" -> peers = list(value);
        case "--cases" -> chosen = list(value);
        case "--sizes" -> sizes = list(value);
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--server-core" -> serverCore = value;
        case "--load-core" -> loadCore = value;
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    for (String name : chosen) {
      if (!list(cases).contains(name)) {
        throw new IllegalArgumentException("no such case: %s, only %s".formatted(name, cases));
      }
    }
    if (rounds < 1 || amount < 1) {
      throw new IllegalArgumentException("rounds and amounts begin at 1");
    }
    List<String> own = Arrays.asList(args).subList(3, args.length);
    String line = (args[0] + " " + String.join(" ", own)).strip();
    Path root = Path.of(args[1]);
    Path place = Path.of(args[2]);
    String script = Path.of(args[0]).getFileName().toString();
    return new ContestOptions(
        script, line, root, place, peers, chosen, sizes, rounds, amount, serverCore, loadCore);
  }

  private static List<String> list(String text) {
    return List.of(text.split(",", -1));
  }

  /// Those of the contenders that were asked for, in the order in which they were.
  List<Contender> choose(List<Contender> all) {
    if (peers.isEmpty()) {
      return all;
    }
    return peers.stream().map(label -> choose(label, all)).toList();
  }

  private static Contender choose(String label, List<Contender> all) {
    List<String> labels = all.stream().map(Contender::label).toList();
    int at = labels.indexOf(label);
    if (at < 0) {
      throw new IllegalArgumentException("no such contender: %s, only %s".formatted(label, labels));
    }
    return all.get(at);
  }

  String bothCores() {
    return serverCore + "," + loadCore;
  }

  List<String> sizesOr(String... own) {
    return sizes.isEmpty() ? List.of(own) : sizes;
  }

  /// A built program.
  String program(String name) {
    return place.resolve("bin").resolve(name).toString();
  }

  String file(String name) {
    return root.resolve("bench").resolve(name).toString();
  }

  /// What a part of the cases, peers or sizes gave is for the one who asked; only whole cases are kept.
  boolean areWhole() {
    return peers.isEmpty() && sizes.isEmpty();
  }

  Path results() {
    return root.resolve("bench/results");
  }
}
