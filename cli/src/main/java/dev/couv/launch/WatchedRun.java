// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Action;
import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.Selected;
import dev.couv.depend.UnresolvedException;
import dev.couv.fs.PathChange;
import dev.couv.fs.Watch;
import dev.couv.fs.WatchOptions;
import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Exit;
import dev.couv.signal.Signal;
import dev.couv.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.ExitCode;

/// `couv run --watch`: the script in a process of its own, ended and started again when one of its files changes.
///
/// The child is started by the shell script `couv`, as a user would, so that it also finds what the file newly says of
/// the JVM. This process compiles first, which tells which files the script is made of, and leaves the result where the
/// child finds it. What is watched are the directories of these files: a file that an editor replaces is still there
/// under its name.
final class WatchedRun {
  /// The shell script, which tells where it is.
  private static final String LAUNCHER = "couv.launcher";

  private static final WatchOptions GATHERED =
      WatchOptions.DEFAULT.withDebounce(Duration.ofMillis(100));

  /// A child cleans up for three seconds at most, and then ends itself.
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final RunOptions options;
  private final ScriptCall call;
  private final List<String> command;
  private final Interruption interruption;

  private WatchedRun(
      RunOptions options, ScriptCall call, List<String> command, Interruption interruption) {
    this.options = options;
    this.call = call;
    this.command = command;
    this.interruption = interruption;
  }

  static WatchedRun of(RunOptions options, ScriptCall call, Interruption interruption)
      throws BadScript {
    String launcher = System.getProperty(LAUNCHER, "");
    if (launcher.isEmpty()) {
      throw new BadScript("--watch needs the command couv, which was not what started this");
    }
    return new WatchedRun(options, call, command(launcher, options, call), interruption);
  }

  /// What was typed, without `--watch`.
  private static List<String> command(String launcher, RunOptions options, ScriptCall call) {
    List<String> words = new ArrayList<>(List.of(launcher, "run"));
    options.libraries.forEach(each -> words.add("--dep=" + each));
    options.javaOptions.forEach(each -> words.add("--java-option=" + each));
    if (options.offline) {
      words.add("--offline");
    }
    if (options.stacktrace) {
      words.add("--stacktrace");
    }
    if (options.flight != null) {
      words.add("--flight=" + options.flight);
    }
    if (options.inspect) {
      words.add("--inspect");
    }
    if (options.trace != null) {
      words.add("--trace=" + options.trace);
    }
    call.sources().forEach(each -> words.add(each.toString()));
    words.add("--");
    words.addAll(call.arguments());
    return words;
  }

  /// Goes on until a signal ends it, and then does not return.
  int run() {
    int status = ExitCode.OK;
    try {
      Loop.run((Action) this::watch);
    } catch (Exception failure) {
      if (!interruption.isReceived()) {
        System.err.println("couv: cannot watch: " + failure.getMessage());
        status = ExitCode.SOFTWARE;
      }
    }
    interruption.ended();
    return status;
  }

  private void watch() throws Exception {
    interruption.started(Loop.current(), Coroutine.current());
    Set<Path> files = new HashSet<>();
    add(call.sources(), files);
    while (true) {
      Map<Path, Watch> watches = new HashMap<>();
      try {
        // Before javac reads: what changes from here on is noticed.
        watch(files, watches);
        boolean compiles = compile(files);
        if (watch(files, watches) && compiles) {
          // It has read where nobody watched yet. If nothing has changed since, this is found in
          // the cache.
          compiles = compile(files);
        }
        Path changed =
            compiles
                ? runUntilChanged(watches.values(), files)
                : changed(List.copyOf(watches.values()), files);
        System.err.println("couv: " + changed.getFileName() + " has changed");
      } finally {
        watches.values().forEach(Watch::close);
      }
    }
  }

  /// Leaves in `files` what the script is made of. If it does not compile that is not known, so that none is
  /// forgotten which belonged to it before, and one that javac has stumbled over is added: whichever was wrong, its
  /// next change matters. What is wrong was told.
  private boolean compile(Set<Path> files) {
    Set<Path> read = new HashSet<>();
    boolean compiles = false;
    try {
      compiles = RunCommand.compiled(options, call, read).isPresent();
    } catch (BadScript | UnresolvedException wrong) {
      System.err.println("couv: " + wrong.getMessage());
    } catch (IOException unreadable) {
      System.err.println("couv: cannot read " + unreadable.getMessage());
    }
    if (compiles) {
      files.clear();
    }
    add(call.sources(), files);
    add(read, files);
    return compiles;
  }

  private static void add(Collection<Path> some, Set<Path> files) {
    some.forEach(each -> files.add(each.toAbsolutePath().normalize()));
  }

  /// Watches the directories of these files. Returns whether there is one that was not watched before.
  private static boolean watch(Set<Path> files, Map<Path, Watch> watches) throws IOException {
    int before = watches.size();
    for (Path file : files) {
      Path directory = file.getParent();
      if (directory != null && !watches.containsKey(directory)) {
        watches.put(directory, Watch.path(directory, GATHERED));
      }
    }
    return watches.size() > before;
  }

  private Path runUntilChanged(Collection<Watch> watches, Set<Path> files) throws Exception {
    try (Child child = Command.of(command).start()) {
      try {
        List<Awaitable<?>> sources = new ArrayList<>(watches);
        sources.add(child);
        return changed(sources, files);
      } finally {
        Coroutine.protect((Action) () -> end(child));
      }
    }
  }

  /// The first change that matters. If a child is among the sources, its end is told meanwhile.
  private static Path changed(List<? extends Awaitable<?>> sources, Set<Path> files)
      throws Exception {
    List<Awaitable<?>> left = new ArrayList<>(sources);
    while (true) {
      Selected<?> first = Await.select(left);
      switch (first.value()) {
        case PathChange change when matters(change, files) -> {
          return change.path();
        }
        case Exit exit -> {
          left.remove(first.source());
          say(exit);
        }
        case null, default -> {}
      }
    }
  }

  /// Also a Java file that is new beside them: it may be the one that javac did not find.
  private static boolean matters(PathChange change, Set<Path> files) {
    Path path = change.path().toAbsolutePath().normalize();
    return switch (change.kind()) {
      case OVERFLOW -> true;
      case CREATED -> files.contains(path) || ScriptCall.isSource(path);
      case MODIFIED, REMOVED -> files.contains(path);
      case ATTRIBUTES -> false;
    };
  }

  private static void say(Exit exit) {
    String how =
        switch (exit) {
          case Exit.Code code -> "ended with " + code.value();
          case Exit.Signalled by -> "ended by " + by.signal();
        };
    System.err.println("couv: " + how + ", waiting for a change");
  }

  /// Lets it clean up. Ctrl-C on a terminal has reached it as well, and a second signal would not let it.
  private void end(Child child) throws Exception {
    if (!(interruption.isReceived() && TerminalModes.isInForeground())) {
      child.signal(Signal.TERM);
    }
    try (Event<?> patience = Time.after(PATIENCE)) {
      Await.select(child, patience);
    }
    child.kill();
    child.exit();
  }
}
