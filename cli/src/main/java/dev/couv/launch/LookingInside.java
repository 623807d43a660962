// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.inspect.Attachment;
import dev.couv.inspect.Link;
import dev.couv.inspect.Program;
import dev.couv.inspect.Refusal;
import java.io.IOException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What the commands have in common that look into one program.
final class LookingInside {
  @Parameters(paramLabel = "PID", description = "The process, as \"couv ps\" lists it.")
  private long pid;

  @Option(names = "--stacktrace", description = "If it fails, says where, for a bug report.")
  private boolean trace;

  /// For picocli.
  LookingInside() {}

  /// What is done with a program once there is a way into it.
  interface Look {
    int with(Program program, Link link) throws Exception;
  }

  /// Returns the exit code; what can be told to the user in a sentence is.
  int into(Look look) throws Exception {
    try {
      Program program = Program.of(pid);
      if (!program.silent()) {
        System.err.println("couv: process " + pid + ": " + Program.WARNING);
      }
      try (Link link = Attachment.open(program)) {
        return look.with(program, link);
      }
    } catch (Refusal refused) {
      return failed(String.valueOf(refused.getMessage()), refused);
    } catch (IOException gone) {
      return failed("process " + pid + ": " + gone.getMessage(), gone);
    }
  }

  private int failed(String message, Exception why) {
    System.err.println("couv: " + message);
    if (trace) {
      why.printStackTrace();
    }
    return ExitCode.SOFTWARE;
  }
}
