// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/// Ends a JVM whose test hangs, and says which it is and where its threads are. JUnit's own timeout, of
/// `junit-platform.properties`, comes first, but it only interrupts, and a loop that waits in libuv
/// does not care.
public final class HangListener implements TestExecutionListener {
  /// Longer than JUnit's own.
  private static final long LIMIT_NANOS =
      TimeUnit.SECONDS.toNanos(Integer.getInteger("couv.test.hang-seconds", 420));

  private static final int STATUS = 70;

  private volatile String last = "nothing";
  private volatile long since = System.nanoTime();

  /// There is one while tests run; a JVM may run several plans, one after the other.
  private volatile Thread watcher;

  /// For JUnit, which finds this class by its service file.
  public HangListener() {}

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    note("the start of the tests");
    if (isDebugged()) {
      return;
    }
    watcher = Thread.ofPlatform().daemon().name("couv-hang-watch").unstarted(this::watch);
    watcher.start();
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    note("the start of " + test.getUniqueId());
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    note("the end of " + test.getUniqueId());
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    watcher = null;
  }

  private static boolean isDebugged() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(option -> option.startsWith("-agentlib:jdwp"));
  }

  private void note(String event) {
    last = event;
    since = System.nanoTime();
  }

  private void watch() {
    while (watcher == Thread.currentThread()) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      if (watcher == Thread.currentThread() && System.nanoTime() - since > LIMIT_NANOS) {
        tell();
        Runtime.getRuntime().halt(STATUS);
      }
    }
  }

  private void tell() {
    System.err.println("a test hangs: nothing has happened since " + last);
    try {
      Path directory = Files.createTempDirectory("couv");
      Path dump = directory.resolve("threads");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      System.err.println(Files.readString(dump));
      Files.delete(dump);
      Files.delete(directory);
    } catch (Exception e) {
      System.err.println("no dump of the threads: " + e);
    }
    System.err.flush();
  }
}
