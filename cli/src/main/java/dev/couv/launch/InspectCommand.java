// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.inspect.Link;
import dev.couv.inspect.PageServer;
import dev.couv.inspect.Program;
import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `couv inspect`: a page that shows a running program, until that ends or this is ended.
@Command(
    name = "inspect",
    header = "Serves a page that shows a running program live, and can cancel what it shows.",
    description = {
      "",
      "The address of the page has a secret in it: whoever knows it can cancel coroutines. It is"
          + " for this machine only. Ctrl-C ends it, and leaves nothing in the program.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class InspectCommand implements Callable<Integer> {
  @Mixin private LookingInside looking = new LookingInside();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Where to serve; any that is free unless told.")
  private int port;

  /// For picocli.
  InspectCommand() {}

  @Override
  public Integer call() throws Exception {
    return looking.into(
        (program, link) -> {
          try (PageServer page = open(program, link)) {
            System.out.println(page.address());
            ProcessHandle.of(program.pid()).ifPresent(process -> process.onExit().join());
          }
          System.err.println("couv: process " + program.pid() + " has ended");
          return ExitCode.OK;
        });
  }

  private PageServer open(Program program, Link link) throws IOException {
    try {
      return PageServer.open(link, program.pid() + " " + program.title(), port);
    } catch (BindException | IllegalArgumentException refused) {
      throw new IOException("cannot serve at port " + port + ": " + refused.getMessage(), refused);
    }
  }
}
