// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.EventLoop;
import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import dev.couv.world.Launch;
import dev.couv.world.Program;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// A program to run, with its arguments and surroundings. It does not change: each method gives another
/// command, so that one can be kept and run many times.
///
/// A program without a slash in its name is looked for in the `PATH` of this process. What is not said
/// is inherited: the directory, the environment, the standard streams. A child gets no other descriptor
/// of this process.
public final class Command {
  private static final int MOST_DESCRIPTORS = 256;
  private static final long NOBODY = (1L << 32) - 1;

  private final Program program;
  private final SortedMap<Integer, Stdio> stdio;
  private final long limit;

  private Command(Program program, SortedMap<Integer, Stdio> stdio, long limit) {
    this.program = program;
    this.stdio = stdio;
    this.limit = limit;
  }

  /// A program and its arguments, each of which the child gets as it is: no shell takes them apart.
  ///
  /// @throws IllegalArgumentException if the program is empty, or one of them contains a NUL
  public static Command of(String program, String... arguments) {
    List<String> words = new ArrayList<>(arguments.length + 1);
    words.add(program);
    words.addAll(List.of(arguments));
    return of(words);
  }

  /// A program and its arguments in one list, the program first.
  ///
  /// @throws IllegalArgumentException if the program is missing or empty, or one of them contains a NUL
  public static Command of(List<String> words) {
    return new Command(Program.of(words), new TreeMap<>(), Long.MAX_VALUE);
  }

  private Command with(Program changed) {
    return new Command(changed, stdio, limit);
  }

  /// Where the child runs.
  ///
  /// @throws IllegalArgumentException if it is not of the system's own files
  public Command dir(Path dir) {
    return with(program.withDir(PathBytes.check(dir)));
  }

  /// All that the child has in its environment, instead of what this process has.
  ///
  /// @throws IllegalArgumentException if a name is empty or contains `=`, or anything contains a NUL
  public Command env(Map<String, String> all) {
    all.forEach(Env::check);
    return with(program.withEnv(Map.copyOf(all), Map.of()));
  }

  /// One variable more in the child's environment, or another value for it.
  ///
  /// @throws IllegalArgumentException if the name is empty or contains `=`, or either contains a NUL
  public Command env(String name, String value) {
    Env.check(name, value);
    Map<String, String> more = new HashMap<>(program.variables());
    more.put(name, value);
    return with(program.withEnv(program.env(), more));
  }

  /// What the child finds at its input.
  public Command stdin(Stdio at) {
    return stdio(0, at);
  }

  /// What the child finds at its output.
  public Command stdout(Stdio at) {
    return stdio(1, at);
  }

  /// What the child finds at its error output.
  public Command stderr(Stdio at) {
    return stdio(2, at);
  }

  /// What the child finds at one of its descriptors, from 0 to 255. Those from 3 on that are not named
  /// are closed.
  public Command stdio(int descriptor, Stdio at) {
    if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) {
      throw new IllegalArgumentException("no child's descriptor can be " + descriptor);
    }
    SortedMap<Integer, Stdio> changed = new TreeMap<>(stdio);
    changed.put(descriptor, Objects.requireNonNull(at, "stdio"));
    return new Command(program, changed, limit);
  }

  /// The user that the child is, by the number, for a process that may say so.
  ///
  /// @throws IllegalArgumentException if no user can have that number
  public Command uid(long uid) {
    return with(program.withUid(identity(uid, "user")));
  }

  /// The group that the child is in, by the number, for a process that may say so.
  ///
  /// @throws IllegalArgumentException if no group can have that number
  public Command gid(long gid) {
    return with(program.withGid(identity(gid, "group")));
  }

  /// The largest is nobody in particular to the system.
  private static long identity(long number, String what) {
    if (number < 0 || number >= NOBODY) {
      throw new IllegalArgumentException("no " + what + " has the number " + number);
    }
    return number;
  }

  /// Whether the child leads a session and a group of its own: it outlives this process, no key of the
  /// terminal ends it, and [Child#killGroup] reaches all that it started.
  public Command detached(boolean detached) {
    return with(program.withDetached(detached));
  }

  /// How many bytes [#output] takes from each of the two outputs. A child that writes more is killed.
  ///
  /// @throws IllegalArgumentException if it is negative
  public Command limit(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a limit of " + bytes + " bytes");
    }
    return new Command(program, stdio, bytes);
  }

  /// Starts it. Does not wait for its end.
  ///
  /// @throws java.nio.file.NoSuchFileException if there is no such program, or no such directory
  /// @throws java.nio.file.AccessDeniedException if it may not be run
  public Child start() throws IOException {
    EventLoop loop = Suspension.loop("Command.start");
    return start(loop, Suspension.world().processes().prepare(loop, program));
  }

  Child start(EventLoop loop, Launch launch) throws IOException {
    SortedMap<Integer, Stdio> all = new TreeMap<>(stdio);
    for (int descriptor = 0; descriptor < 3; descriptor++) {
      all.putIfAbsent(descriptor, Stdio.inherit());
    }
    return Child.start(loop, program, launch, all);
  }

  /// Runs it to its end. Cancelled, it kills the child, unless that is detached. Nobody can use a pipe to
  /// it, so where one was said it is as [Stdio#discard].
  ///
  /// @throws IOException as [#start]
  public Exit run() throws IOException {
    Suspension.loop("Command.run");
    SortedMap<Integer, Stdio> usable = new TreeMap<>(stdio);
    usable.replaceAll((descriptor, at) -> at.equals(Stdio.pipe()) ? Stdio.discard() : at);
    try (Child child = new Command(program, usable, limit).start()) {
      return child.exit();
    }
  }

  /// Runs it to its end and takes what it writes: both outputs, unless something else was said about
  /// them. It finds nothing at its input, unless that was said. Cancelled, it kills the child.
  ///
  /// @throws OutputTooLarge if there is a [#limit], and more came
  /// @throws IOException as [#start]
  public Output output() throws IOException {
    return output(ByteBuffer.allocate(0));
  }

  /// Runs it to its end, writes these bytes to its input, and takes what it writes at the same time: both outputs,
  /// unless something else was said about them. That the child does not want all the bytes is no failure.
  /// Cancelled, it kills the child.
  ///
  /// @throws OutputTooLarge if there is a [#limit], and more came
  /// @throws IOException as [#start]
  public Output output(ByteBuffer input) throws IOException {
    Suspension.loop("Command.output");
    Command caught =
        orElse(0, input.hasRemaining() ? Stdio.pipe() : Stdio.discard())
            .orElse(1, Stdio.pipe())
            .orElse(2, Stdio.pipe());
    try (Child child = caught.start()) {
      return Output.of(child, input, limit);
    }
  }

  private Command orElse(int descriptor, Stdio at) {
    return stdio.containsKey(descriptor) ? this : stdio(descriptor, at);
  }

  Program program() {
    return program;
  }

  @Override
  public String toString() {
    return String.join(" ", program.words());
  }
}
