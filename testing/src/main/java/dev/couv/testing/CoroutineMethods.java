// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.memory.MemoryWorld;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/// What [InLoop] is to JUnit.
///
/// JUnit's timeouts interrupt the thread that called the test, but a loop that waits in libuv does
/// not care for interrupts. One that a virtual thread runs does: it has a thread of its own, and
/// who waits for it halts it. So a virtual thread runs it.
final class CoroutineMethods implements InvocationInterceptor, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(CoroutineMethods.class);

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> test,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    run(test, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> test,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    run(test, context);
  }

  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> test,
      DynamicTestInvocationContext invoked,
      ExtensionContext context)
      throws Throwable {
    run(test, context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestClock.class
        && parameter.getDeclaringExecutable().equals(context.getTestMethod().orElse(null));
  }

  @Override
  public TestClock resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(TestClock.class, _ -> new TestClock(), TestClock.class);
  }

  private static void run(Invocation<@Nullable Void> test, ExtensionContext context)
      throws Throwable {
    TestClock clock = context.getStore(NAMESPACE).get(TestClock.class, TestClock.class);
    LoopOptions options = inWorld(clock == null ? LoopOptions.DEFAULT : clock.options());
    AtomicReference<@Nullable Thread> body = new AtomicReference<>();
    FutureTask<Boolean> run =
        new FutureTask<>(
            () -> {
              Loop.run(options, () -> proceed(test, body));
              return true;
            });
    Thread runner = Thread.ofVirtual().name("couv-test").start(run);
    try {
      run.get();
    } catch (InterruptedException timeout) {
      runner.interrupt();
      interrupt(body.get());
      awaitEnd(run, timeout);
      throw timeout;
    } catch (ExecutionException failed) {
      throw failed.getCause();
    }
  }

  /// With the property `couv.test.world=memory` each test has a world of its own, in memory.
  private static LoopOptions inWorld(LoopOptions options) {
    return "memory".equals(System.getProperty("couv.test.world"))
        ? options.withWorld(MemoryWorld.alone(0))
        : options;
  }

  private static void proceed(
      Invocation<@Nullable Void> test, AtomicReference<@Nullable Thread> body) throws Exception {
    body.set(Thread.currentThread());
    try {
      test.proceed();
    } catch (Exception | Error thrown) {
      throw thrown;
    } catch (Throwable thrown) { // which a coroutine cannot throw
      throw new AssertionError(thrown);
    }
  }

  /// A coroutine that blocks in plain Java code holds up a loop of the hand-over engine, which then
  /// cannot cancel it. One that awaits does not notice.
  private static void interrupt(@Nullable Thread body) {
    if (body != null) {
      body.interrupt();
    }
  }

  /// The loop unwinds; what else goes wrong in that is told with the timeout.
  private static void awaitEnd(FutureTask<?> run, InterruptedException timeout) {
    while (true) {
      try {
        run.get();
        return;
      } catch (InterruptedException again) {
        timeout.addSuppressed(again);
      } catch (ExecutionException ended) {
        if (!(ended.getCause() instanceof InterruptedException)) {
          timeout.addSuppressed(ended.getCause());
        }
        return;
      }
    }
  }
}
