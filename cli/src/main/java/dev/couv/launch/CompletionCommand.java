// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `couv completion`: what a shell needs to complete the command line.
@Command(
    name = "completion",
    header = "Prints what a shell needs to complete couv's words.",
    description = {
      "",
      "For bash, in ~/.bashrc:  source <(couv completion bash)",
      "For zsh, in ~/.zshrc:    source <(couv completion zsh)",
      "For fish, in ~/.config/fish/config.fish:  couv completion fish | source",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class CompletionCommand implements Callable<Integer> {
  /// The shells that it is known to work in. One text does for the first two.
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private @Nullable Shell shell;

  /// For picocli.
  CompletionCommand() {}

  @Override
  public Integer call() {
    if (spec == null || shell == null) {
      throw new AssertionError("picocli sets it");
    }
    CommandSpec root = spec.root();
    System.out.print(
        switch (shell) {
          case bash, zsh -> AutoComplete.bash("couv", root.commandLine());
          case fish -> FishCompletion.of(root);
        });
    return ExitCode.OK;
  }
}
