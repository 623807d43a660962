// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// What fish needs to complete the words of the command line: a line for each of them. Files are fish's own to complete.
final class FishCompletion {
  private static final String NO_COMMAND = "__fish_use_subcommand";

  private final StringBuilder lines = new StringBuilder("# couv completion fish | source\n");

  private FishCompletion() {}

  static String of(CommandSpec root) {
    FishCompletion completion = new FishCompletion();
    root.subcommands().forEach(completion::command);
    root.options().forEach(each -> completion.option(NO_COMMAND, each));
    return completion.lines.toString();
  }

  private void command(String name, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    add(NO_COMMAND, "-f -a " + quoted(name), first(spec.usageMessage().header()));
    String inside = "__fish_seen_subcommand_from " + name;
    spec.options().forEach(each -> option(inside, each));
    for (PositionalParamSpec each : spec.positionalParameters()) {
      words(inside, each.completionCandidates());
    }
  }

  private void option(String condition, OptionSpec option) {
    if (option.hidden()) {
      return;
    }
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      boolean isLong = name.startsWith("--");
      names.append(isLong ? "-l " : "-s ").append(name.substring(isLong ? 2 : 1)).append(' ');
    }
    add(condition, names + (option.arity().max() > 0 ? "-r" : ""), first(option.description()));
  }

  private void words(String condition, @Nullable Iterable<String> candidates) {
    if (candidates != null) {
      candidates.forEach(each -> add(condition, "-f -a " + quoted(each), ""));
    }
  }

  private void add(String condition, String what, String description) {
    lines.append("complete -c couv -n ").append(quoted(condition)).append(' ').append(what.strip());
    if (!description.isEmpty()) {
      lines.append(" -d ").append(quoted(description));
    }
    lines.append('\n');
  }

  private static String first(String[] text) {
    return text.length == 0 ? "" : text[0];
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
