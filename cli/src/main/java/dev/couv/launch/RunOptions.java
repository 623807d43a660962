// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What can be said before the name of a script.
final class RunOptions {
  /// What is said if nothing is.
  static final RunOptions NONE = new RunOptions();

  @Option(
      names = "--dep",
      paramLabel = "GROUP:ARTIFACT:VERSION",
      description = "A library to run with; as a line //DEPS in the file.")
  List<String> libraries = new ArrayList<>();

  @Option(names = "--offline", description = "Take libraries from this machine only.")
  boolean offline;

  /// Read by the shell script, which starts the VM with them; here only so that they are known.
  @Option(
      names = "--java-option",
      paramLabel = "OPTION",
      description = "An option of the VM, such as -Xmx256m; as a line //JAVA in the file.")
  List<String> javaOptions = new ArrayList<>();

  @Option(
      names = {"-w", "--watch"},
      description = "Start again when the file changes, or one that it uses.")
  boolean watch;

  @Option(
      names = "--flight",
      paramLabel = "FILE",
      description = "Record the run with the JDK's flight recorder, coroutines included.")
  @Nullable Path flight;

  @Option(
      names = "--inspect",
      description = "Serves a page that shows the program while it runs; its address is written.")
  boolean inspect;

  @Option(
      names = "--trace",
      paramLabel = "FILE.html",
      description = "Writes a timeline of all coroutines and awaits at the end, as a page.")
  @Nullable Path trace;

  @Option(names = "--stacktrace", description = "Show the whole trace of a failure.")
  boolean stacktrace;
}
