// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import jdk.jshell.execution.LocalExecutionControl;
import org.jspecify.annotations.Nullable;

/// Runs snippets in this process, each as a coroutine of a live loop.
///
/// The JDK's own control runs a snippet on a thread that it makes, and stops it by a check that it weaves into every loop
/// and method of the code. It is given another method to run, which hands the snippet over to the loop and waits there.
/// To stop is to cancel; the check is for what never waits. It ends all code of snippets that comes to it, so that it
/// is in force only while the loop cannot go on anyway.
final class LoopExecution extends LocalExecutionControl {
  private static final Method BRIDGE = bridge();

  /// How long a loop that is not kept busy takes to hear of a cancellation.
  private static final long PATIENCE_MILLIS = 2000;

  /// Of the JDK: the class with the check, and what it looks at.
  private static final String CHECK = "REPL.$Cancel$";

  private static final String FLAG = "allStop";

  /// What the bridge, which must be static, is to run. One snippet runs at a time.
  private static volatile @Nullable LoopExecution current;

  private final LiveLoop loop;
  private @Nullable Method snippet;
  private @Nullable String value;

  LoopExecution(ClassLoader parent, LiveLoop loop) {
    super(parent);
    this.loop = loop;
  }

  @Override
  protected String invoke(Method doit) throws Exception {
    snippet = doit;
    value = null;
    current = this;
    super.invoke(BRIDGE);
    String result = value;
    return result == null ? "" : result;
  }

  @Override
  public void stop() throws EngineTerminationException, InternalException {
    try {
      loop.cancel().get(PATIENCE_MILLIS, MILLISECONDS);
    } catch (TimeoutException busy) {
      super.stop();
    } catch (ExecutionException failed) {
      throw new AssertionError("nothing fails it", failed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// On the thread that waits for the snippet.
  @SuppressWarnings("UnusedMethod") // called by reflection
  static void run() throws Throwable {
    LoopExecution self = current;
    if (self == null) {
      throw new AssertionError("invoke sets it");
    }
    self.value = self.loop.call(self::evaluate);
  }

  /// In the coroutine. The value becomes text here, too: what it says of itself may be the loop's to know.
  private String evaluate() throws Exception {
    Method doit = snippet;
    if (doit == null) {
      throw new AssertionError("invoke sets it");
    }
    try {
      return valueString(doit.invoke(null));
    } catch (InvocationTargetException failed) {
      throw unwrapped(failed);
    } finally {
      // Before anybody else runs on the loop.
      findClass(CHECK).getField(FLAG).setBoolean(null, false);
    }
  }

  @SuppressWarnings("removal") // it is what the check throws
  private static Exception unwrapped(InvocationTargetException failed) {
    return switch (failed.getCause()) {
      case Exception cause -> cause;
      case ThreadDeath _ -> new Stopped();
      case Error cause -> throw cause;
      case null, default -> failed;
    };
  }

  private static Method bridge() {
    try {
      Method bridge = LoopExecution.class.getDeclaredMethod("run");
      bridge.setAccessible(true);
      return bridge;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }
}
