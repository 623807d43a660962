// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Runs the tests of this module for a bounded time: none may show a forbidden outcome, and the one with
/// the planted race must. `-Dcouv.interleaving.millis` is the time for each round of a test.
///
/// ## Three actors on two cores
///
/// jcstress leaves out tests with more actors than there are cores. Three still race on two: the system
/// takes turns. So on a smaller machine it is told that there are three, by an unknown system's name, for
/// which it does not look for itself; the JVMs that run the tests get the right name back.
public final class Interleavings {
  private static final String MILLIS = System.getProperty("couv.interleaving.millis", "300");

  /// How many actors the largest test has.
  private static final int ACTORS = 3;

  private static final String PLANTED = "dev.couv.interleaving.PlantedRace";
  private static final Pattern RESULTS =
      Pattern.compile("Results: ([0-9,]+) planned; ([0-9,]+) passed, ([0-9,]+) failed");

  private Interleavings() {}

  public static void main(String[] args) throws Exception {
    if (!foundForbidden(PLANTED, 1)) {
      fail("the planted race was not found: this check cannot fail, so it shows nothing");
    }
    System.out.println("the planted race was found");
    int count = tests().size();
    if (foundForbidden("^(?!" + PLANTED + ").*", count)) {
      fail("an interleaving has a forbidden outcome");
    }
    System.out.println("no interleaving of " + count + " tests has a forbidden outcome");
  }

  /// Those that jcstress has found when this was compiled, without the planted one.
  private static List<String> tests() throws IOException {
    try (InputStream list = Interleavings.class.getResourceAsStream("/META-INF/TestList")) {
      if (list == null) {
        throw new IOException("there is no list of tests");
      }
      return new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.contains(PLANTED))
          .toList();
    }
  }

  private static boolean foundForbidden(String tests, int count)
      throws IOException, InterruptedException {
    String system = System.getProperty("os.name");
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    if (Runtime.getRuntime().availableProcessors() < ACTORS) {
      command.addAll(List.of("-Dos.name=unknown", "-XX:ActiveProcessorCount=" + ACTORS));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-t", tests));
    command.addAll(List.of("-f", "1", "-iters", "3", "-time", MILLIS));
    command.addAll(List.of("-sc", "false", "-af", "NONE", "-spinStyle", "THREAD_YIELD", "-v"));
    command.addAll(List.of("-c", Integer.toString(ACTORS)));
    command.addAll(
        List.of(
            "-jvmArgs",
            "-Dos.name="
                + system.replace(' ', '_')
                + " --enable-native-access=ALL-UNNAMED"
                + " --add-opens=java.base/java.lang=ALL-UNNAMED"));
    command.addAll(List.of("-r", "interleaving-results" + File.separator));
    Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
    run.getOutputStream().close();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = run.inputReader(StandardCharsets.UTF_8)) {
      for (String line; (line = lines.readLine()) != null; ) {
        System.out.println(line);
        output.append(line).append('\n');
      }
    }
    if (!run.waitFor(10, TimeUnit.SECONDS)) {
      run.destroyForcibly();
      fail("jcstress does not end");
    }
    return judge(tests, count, output.toString(), run.exitValue());
  }

  /// A test that was left out, or could not run, is no answer.
  private static boolean judge(String tests, int count, String output, int status) {
    Matcher results = RESULTS.matcher(output);
    String planned = "0";
    String failed = "0";
    while (results.find()) {
      planned = results.group(1);
      failed = results.group(3);
    }
    if (!planned.equals(Integer.toString(count))) {
      fail("jcstress ran " + planned + " of " + count + " tests of " + tests);
    }
    boolean found = output.contains("Observed forbidden state") && !failed.equals("0");
    if (!found && (status != 0 || !failed.equals("0"))) {
      fail("jcstress failed, status " + status);
    }
    return found;
  }

  private static void fail(String why) {
    System.err.println(why);
    System.exit(1);
  }
}
