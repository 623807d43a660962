// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.EventLoop;
import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A program to run, with its arguments and surroundings. It does not change: each method gives another
/// command, so that one can be kept and run many times.
///
/// A program without a slash in its name is looked for in the `PATH` of this process. What is not said
/// is inherited: the directory, the environment, the standard streams. A child gets no other descriptor
/// of this process.
public final class Command {
  private static final int MOST_DESCRIPTORS = 256;

  private final List<String> words;
  private final @Nullable Path dir;
  private final @Nullable Map<String, String> env;
  private final Map<String, String> variables;
  private final SortedMap<Integer, Stdio> stdio;
  private final @Nullable Integer uid;
  private final @Nullable Integer gid;
  private final boolean detached;
  private final long limit;

  private Command(Draft draft) {
    words = draft.words;
    dir = draft.dir;
    env = draft.env;
    variables = draft.variables;
    stdio = draft.stdio;
    uid = draft.uid;
    gid = draft.gid;
    detached = draft.detached;
    limit = draft.limit;
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

  /// Likewise: the program is the first.
  public static Command of(List<String> words) {
    if (words.isEmpty() || words.getFirst().isEmpty()) {
      throw new IllegalArgumentException("no program is named");
    }
    for (int i = 0; i < words.size(); i++) {
      Words.checkNoNul(words.get(i), i == 0 ? "the program's name" : "argument " + i);
    }
    Draft draft = new Draft();
    draft.words = List.copyOf(words);
    return new Command(draft);
  }

  /// Where the child runs.
  ///
  /// @throws IllegalArgumentException if it is not of the system's own files
  public Command dir(Path newDir) {
    PathBytes.check(newDir);
    return with(draft -> draft.dir = newDir);
  }

  /// All that the child has in its environment, instead of what this process has.
  ///
  /// @throws IllegalArgumentException if a name is empty or contains `=`, or anything contains a NUL
  public Command env(Map<String, String> all) {
    all.forEach(Words::checkVariable);
    return with(
        draft -> {
          draft.env = Map.copyOf(all);
          draft.variables = Map.of();
        });
  }

  /// One variable more in the child's environment, or another value for it.
  public Command env(String name, String value) {
    Words.checkVariable(name, value);
    Map<String, String> more = new LinkedHashMap<>(variables);
    more.put(name, value);
    return with(draft -> draft.variables = Map.copyOf(more));
  }

  public Command stdin(Stdio at) {
    return stdio(0, at);
  }

  public Command stdout(Stdio at) {
    return stdio(1, at);
  }

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
    return with(draft -> draft.stdio = changed);
  }

  /// The user that the child is, for a process that may say so.
  public Command uid(int newUid) {
    return with(draft -> draft.uid = identity(newUid, "user"));
  }

  /// The group that the child is in, for a process that may say so.
  public Command gid(int newGid) {
    return with(draft -> draft.gid = identity(newGid, "group"));
  }

  /// To the system -1 is nobody in particular. Others that are negative are the large ones.
  private static int identity(int number, String what) {
    if (number == -1) {
      throw new IllegalArgumentException("no " + what + " has the number -1");
    }
    return number;
  }

  /// Whether the child leads a session and a group of its own: it outlives this process, no key of the
  /// terminal ends it, and [Child#killGroup] reaches all that it started.
  public Command detached(boolean newDetached) {
    return with(draft -> draft.detached = newDetached);
  }

  /// How many bytes [#output] takes from each of the two outputs. A child that writes more is killed.
  public Command limit(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a limit of " + bytes + " bytes");
    }
    return with(draft -> draft.limit = bytes);
  }

  /// Starts it. Does not wait for its end.
  ///
  /// @throws java.nio.file.NoSuchFileException if there is no such program, or no such directory
  /// @throws java.nio.file.AccessDeniedException if it may not be run
  public Child start() throws IOException {
    return start(Spawner.forCommand(this));
  }

  Child start(Spawner spawner) throws IOException {
    EventLoop loop = Suspension.loop("Command.start");
    return Start.of(loop, this, spawner);
  }

  /// Runs it to its end. Cancelled, it kills the child, unless that is detached. Nobody can use a pipe to
  /// it: at its input it finds nothing, and what it writes to one is forgotten.
  ///
  /// @throws IOException as [#start]
  public Exit run() throws IOException {
    Suspension.loop("Command.run");
    if (Capture.hasPipes(this)) {
      return Capture.discarding(this);
    }
    try (Child child = start()) {
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

  /// Likewise, and writes these bytes to the child's input at the same time. That the child does not
  /// want them all is no failure.
  public Output output(ByteBuffer input) throws IOException {
    Suspension.loop("Command.output");
    Command caught =
        orElse(0, input.hasRemaining() ? Stdio.pipe() : Stdio.discard())
            .orElse(1, Stdio.pipe())
            .orElse(2, Stdio.pipe());
    return Capture.of(caught, input);
  }

  private Command orElse(int descriptor, Stdio at) {
    return stdio.containsKey(descriptor) ? this : stdio(descriptor, at);
  }

  // ---- what was said

  List<String> words() {
    return words;
  }

  @Nullable Path dir() {
    return dir;
  }

  /// All that the child gets, `NAME=value` each; null if nothing was said about its environment.
  @Nullable List<byte[]> environment() throws IOException {
    if (env == null && variables.isEmpty()) {
      return null;
    }
    Map<String, String> said = new LinkedHashMap<>(env == null ? Map.of() : env);
    said.putAll(variables);
    List<byte[]> all = env == null ? Words.inheritedWithout(variables.keySet()) : new ArrayList<>();
    all.addAll(Words.pairs(said));
    return all;
  }

  /// By the child's descriptor; the first three are always there.
  SortedMap<Integer, Stdio> stdio() {
    SortedMap<Integer, Stdio> all = new TreeMap<>(stdio);
    for (int descriptor = 0; descriptor < 3; descriptor++) {
      all.putIfAbsent(descriptor, Stdio.inherit());
    }
    return all;
  }

  @Nullable Integer uid() {
    return uid;
  }

  @Nullable Integer gid() {
    return gid;
  }

  boolean isDetached() {
    return detached;
  }

  long limit() {
    return limit;
  }

  @Override
  public String toString() {
    return String.join(" ", words);
  }

  private Command with(Consumer<Draft> change) {
    Draft draft = new Draft();
    draft.words = words;
    draft.dir = dir;
    draft.env = env;
    draft.variables = variables;
    draft.stdio = stdio;
    draft.uid = uid;
    draft.gid = gid;
    draft.detached = detached;
    draft.limit = limit;
    change.accept(draft);
    return new Command(draft);
  }

  /// A command in the making.
  private static final class Draft {
    List<String> words = List.of();
    @Nullable Path dir;
    @Nullable Map<String, String> env;
    Map<String, String> variables = Map.of();
    SortedMap<Integer, Stdio> stdio = new TreeMap<>();
    @Nullable Integer uid;
    @Nullable Integer gid;
    boolean detached;
    long limit = Long.MAX_VALUE;
  }
}
