// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `couv dump`: every coroutine of a running program.
@Command(
    name = "dump",
    header = "Shows every scope and coroutine of a running program, and what each awaits.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class DumpCommand implements Callable<Integer> {
  @Mixin private LookingInside looking = new LookingInside();

  @Option(names = "--json", description = "For programs: as JSON, in one line.")
  private boolean json;

  /// For picocli.
  DumpCommand() {}

  @Override
  public Integer call() throws Exception {
    return looking.into(
        (program, link) -> {
          String answer = link.ask(json ? "json" : "dump");
          if (answer.startsWith("!")) {
            System.err.println("couv: " + answer.substring(1));
            return ExitCode.SOFTWARE;
          }
          System.out.println(answer.stripTrailing());
          return ExitCode.OK;
        });
  }
}
