// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/// Fails a test that leaves something behind: an open loop with its handles, a coroutine that has not
/// ended, native blocks or bytes, a file descriptor. What was there before the test does not count, so
/// tests may share what their class opened.
///
/// A test that fails by itself fails with its own exception; what it leaked is suppressed in that.
///
/// Use it as `@ExtendWith(LeakCheck.class)`, or for every test of a project through JUnit's automatic
/// extension detection. Tests must not run in parallel with others in the same JVM: all this is
/// counted for the whole process.
///
/// ## What is waited for
///
/// Everything of Couv is gone when `Loop.run` or `Loop.close` returns, but the JDK closes some
/// descriptors at its own time (a child process's pipes on the reaper's thread) and opens others for
/// a moment (the VM reads its container's limits). So where something seems leaked the check looks
/// again, for at most a second; a real leak does not go away. The configuration parameter
/// `couv.leak-check.patience-millis` changes that. Descriptors that the JDK and libuv open once and
/// keep are opened before the first test.
///
/// ## Deadlocks
///
/// A test that waits for ever says nothing. So runs are [strict][LoopOptions#withStrictDeadlocks] in a JVM
/// with this extension, unless the system property `couv.deadlock.strict` says otherwise.
public final class LeakCheck
    implements TestInstancePreConstructCallback, BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  private static final String STRICT = "couv.deadlock.strict";
  private static final String PATIENCE = "couv.leak-check.patience-millis";
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(1);
  private static final long STEP_MILLIS = 5;

  private static boolean warm;

  /// For JUnit.
  public LeakCheck() {
    if (System.getProperty(STRICT) == null) {
      System.setProperty(STRICT, "true");
    }
  }

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  /// What an instance per test opens in its fields counts too.
  @Override
  public void preConstructTestInstance(
      TestInstanceFactoryContext factory, ExtensionContext context) {
    if (context.getTestMethod().isPresent()) {
      remember(context);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    remember(context);
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    Snapshot before = context.getStore(NAMESPACE).remove(Snapshot.class, Snapshot.class);
    if (before == null) {
      return; // the check itself failed before the test, and JUnit has told
    }
    List<String> leaks = leaksSince(before, patience(context));
    if (!leaks.isEmpty()) {
      // JUnit throws the test's own failure, if there is one, and suppresses this in it.
      throw new AssertionError(
          context.getDisplayName() + " leaks:\n- " + String.join("\n- ", leaks));
    }
  }

  private static void remember(ExtensionContext context) {
    warmUp();
    context
        .getStore(NAMESPACE)
        .computeIfAbsent(Snapshot.class, _ -> Snapshot.take(), Snapshot.class);
  }

  private static Duration patience(ExtensionContext context) {
    return context
        .getConfigurationParameter(PATIENCE, millis -> Duration.ofMillis(Long.parseLong(millis)))
        .orElse(DEFAULT_PATIENCE);
  }

  private static List<String> leaksSince(Snapshot before, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    List<String> leaks = Snapshot.take().moreThan(before);
    while (!leaks.isEmpty() && System.nanoTime() - end < 0) {
      Thread.sleep(STEP_MILLIS);
      leaks = Snapshot.take().moreThan(before);
    }
    return leaks;
  }

  /// Opens what is opened once per process, by whoever comes first: libuv's own pipe for signals, and
  /// the JDK's pollers and the socket it closes others with.
  ///
  /// Not in a static initialiser: the coroutine's thread would wait for that to end.
  private static synchronized void warmUp() {
    if (warm) {
      return;
    }
    try {
      Loop.run(() -> {});
      SocketChannel.open().close();
      Class.forName("sun.nio.ch.Poller", true, null);
    } catch (Exception e) {
      throw new AssertionError("nothing can be checked here", e);
    }
    warm = true;
  }
}
