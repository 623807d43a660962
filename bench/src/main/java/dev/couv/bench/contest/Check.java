// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Says which ratio of Couv's got worse by more than a tenth since a commit, and which bar is no longer reached: `ROOT [COMMIT]`. Started by `bench/check`.
final class Check {
  private static final double WORSE = 1.1;
  private static final String OURS = "couv";

  private final Path root;
  private final String commit;
  private final List<String> complaints = new ArrayList<>();
  private int compared;

  private Check(Path root, String commit) {
    this.root = root;
    this.commit = commit;
  }

  static void main(String[] args) throws Exception {
    Check check = new Check(Path.of(args[0]), args.length > 1 ? args[1] : "HEAD");
    List<Result> results = Result.all(check.root.resolve("bench/results"));
    for (Result now : results) {
      check.compare(now);
    }
    check.complainOfLost(results);
    check.complainOfBars(results);
    check.complaints.forEach(System.out::println);
    System.out.printf(
        "%d complaints, of %d ratios compared with those of %s%n",
        check.complaints.size(), check.compared, check.commit);
    System.exit(check.complaints.isEmpty() ? 0 : 1);
  }

  private void compare(Result now) throws IOException, InterruptedException {
    Optional<Result> then = committed(now.name());
    if (then.isEmpty()) {
      System.out.println(now.name() + ": new, there is nothing to compare it with");
      return;
    }
    for (Row old : then.get().rows()) {
      if (old.peer().startsWith(OURS)
          && !old.peer().equals(old.base())
          && old.metric().isCompared()) {
        compare(now, old);
      }
    }
  }

  private void compare(Result now, Row old) {
    Optional<Row> found = now.rows().stream().filter(row -> isSame(row, old)).findFirst();
    String what =
        "%s, size %s, %s of %s".formatted(now.name(), old.size(), old.metric().title(), old.peer());
    if (found.isEmpty()) {
      complaints.add(what + ": no longer measured");
    } else {
      Row row = found.get();
      if (row.ratio() > old.ratio() * WORSE) {
        complaints.add(
            String.format(
                Locale.ROOT,
                "%s: %.2f × %s, was %.2f%s",
                what,
                row.ratio(),
                row.base(),
                old.ratio(),
                row.low() <= old.high() ? " (the ranges overlap)" : ""));
      }
    }
    compared++;
  }

  private static boolean isSame(Row row, Row old) {
    return row.size().equals(old.size())
        && row.metric() == old.metric()
        && row.peer().equals(old.peer())
        && row.base().equals(old.base());
  }

  private void complainOfLost(List<Result> results) throws IOException, InterruptedException {
    Set<String> here = results.stream().map(Result::name).collect(Collectors.toSet());
    String files = git("ls-tree", "--name-only", commit, "bench/results/").orElse("");
    for (String file : files.lines().filter(file -> file.endsWith(".tsv")).toList()) {
      String name = Result.nameOf(Path.of(file));
      if (!here.contains(name)) {
        complaints.add(name + ": the whole result is gone");
      }
    }
  }

  /// A bar that the commit reached is not to be missed now, however little is between them.
  private void complainOfBars(List<Result> results) throws IOException, InterruptedException {
    int missed = 0;
    for (Bar bar : Bar.all(root)) {
      Optional<Row> now = bar.find(results);
      if (now.filter(bar::isReachedBy).isPresent()) {
        continue;
      }
      missed++;
      List<Result> then = committed(bar.result()).stream().toList();
      if (now.isPresent() && bar.find(then).filter(bar::isReachedBy).isPresent()) {
        complaints.add(
            "%s, size %s, %s of %s: %s, no longer %s"
                .formatted(
                    bar.result(),
                    bar.size(),
                    bar.metric().title(),
                    bar.peer(),
                    bar.found(now.get()),
                    bar.wanted()));
      }
    }
    System.out.println(missed + " bars are missed or not measured, see docs/benchmarks.md");
  }

  private Optional<Result> committed(String name) throws IOException, InterruptedException {
    return git("show", commit + ":bench/results/" + name + ".tsv")
        .map(said -> Result.parse(name, said.lines().toList()));
  }

  private Optional<String> git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(arguments));
    Process git =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return git.waitFor() == 0 ? Optional.of(said) : Optional.empty();
  }
}
