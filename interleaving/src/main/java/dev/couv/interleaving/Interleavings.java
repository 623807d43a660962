// SPDX-License-Identifier: Apache-2.0
package dev.couv.interleaving;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Runs the tests of this package for a bounded time: none may show a forbidden outcome, and the one with
/// the planted race must. `-Dcouv.interleaving.millis` is the time for each test in each way
/// of compiling it.
public final class Interleavings {
  private static final String MILLIS = System.getProperty("couv.interleaving.millis", "500");
  private static final Pattern RESULTS =
      Pattern.compile("Results: ([0-9,]+) planned; ([0-9,]+) passed, ([0-9,]+) failed");

  private Interleavings() {}

  public static void main(String[] args) throws Exception {
    if (!foundForbidden("PlantedRace")) {
      fail("the planted race was not found: this check cannot fail, so it shows nothing");
    }
    System.out.println("the planted race was found");
    if (foundForbidden("(Chan|Promise).*")) {
      fail("an interleaving has a forbidden outcome");
    }
    System.out.println("no interleaving has a forbidden outcome");
  }

  private static boolean foundForbidden(String tests) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-t", "dev.couv.interleaving." + tests));
    command.addAll(List.of("-f", "1", "-iters", "3", "-time", MILLIS));
    command.addAll(List.of("-sc", "false", "-af", "NONE"));
    command.addAll(List.of("-jvmArgs", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-r", "interleaving-results" + File.separator));
    Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
    run.getOutputStream().close();
    String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.println(output);
    if (!run.waitFor(10, TimeUnit.SECONDS)) {
      run.destroyForcibly();
      fail("jcstress does not end");
    }
    return judge(tests, output, run.exitValue());
  }

  /// No test, or one that could not run, is no answer.
  private static boolean judge(String tests, String output, int status) {
    Matcher results = RESULTS.matcher(output);
    String planned = "0";
    String failed = "0";
    while (results.find()) {
      planned = results.group(1);
      failed = results.group(3);
    }
    if (planned.equals("0")) {
      fail("jcstress ran no test of " + tests);
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
