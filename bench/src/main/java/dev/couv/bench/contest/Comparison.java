// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

/// What a script starts: does what the options ask for. What they ask for that is not there is an [IllegalArgumentException].
@FunctionalInterface
interface Comparison {
  void run(ContestOptions options) throws Exception;

  /// Runs it with the script's arguments, or says what is wrong with these.
  static void start(
      String cases, int rounds, String amountName, int amount, String[] args, Comparison comparison)
      throws Exception {
    try {
      comparison.run(ContestOptions.parse(cases, rounds, amountName, amount, args));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; " + args[0] + " --help lists the options");
      System.exit(2);
    }
  }
}
