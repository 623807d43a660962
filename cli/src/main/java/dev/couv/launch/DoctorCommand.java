// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/// `couv doctor`: what a bug report needs, and what is wrong here.
@Command(
    name = "doctor",
    header = "Says what Couv finds on this machine, for a bug report.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class DoctorCommand implements Callable<Integer> {
  /// For picocli.
  DoctorCommand() {}

  @Override
  public Integer call() {
    Foundation foundation = Foundation.inspect();
    print("Couv", Version.text());
    foundation.facts().forEach(DoctorCommand::print);
    Machine.facts().forEach(DoctorCommand::print);
    System.out.println();
    if (foundation.problems().isEmpty()) {
      System.out.println("All is well.");
      return ExitCode.OK;
    }
    foundation.problems().forEach(System.out::println);
    return ExitCode.SOFTWARE;
  }

  private static void print(String name, String fact) {
    System.out.printf("%-13s %s%n", name, fact);
  }
}
