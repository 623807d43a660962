// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/// The rules of reactive streams, by their own test kit.
final class FlowTckTest {
  private static final long PATIENCE = 20_000;
  private static final long SILENCE = 50;

  /// How often the kit looks for an error that it expects. It sleeps so long before it looks.
  private static final long LOOKS = 20;

  /// How long the kit sleeps after a cancel, before it looks whether the subscriber can be collected.
  private static final long LETTING_GO = 2_000;

  /// Publishes numbers, each subscriber by a coroutine.
  static final class Publishing extends FlowPublisherVerification<Integer> {
    private final RunningLoop running;

    Publishing(RunningLoop running) {
      super(new TestEnvironment(PATIENCE, SILENCE, LOOKS), LETTING_GO);
      this.running = running;
    }

    @Override
    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
      return Flows.publisher(
          running.loop(),
          out -> {
            for (int i = 0; i < elements; i++) {
              out.send(i);
            }
          });
    }

    @Override
    public Flow.Publisher<Integer> createFailedFlowPublisher() {
      return Flows.publisher(
          running.loop(),
          _ -> {
            throw new IllegalStateException("as it should");
          });
    }
  }

  /// Takes what it gets, ahead of nobody who takes it.
  static final class Subscribing extends FlowSubscriberBlackboxVerification<Integer> {
    Subscribing() {
      super(new TestEnvironment(PATIENCE, SILENCE, LOOKS));
    }

    @Override
    public Flow.Subscriber<Integer> createFlowSubscriber() {
      return new FlowSource<Integer>(8).inlet();
    }

    @Override
    public Integer createElement(int element) {
      return element;
    }
  }

  @TestFactory
  Stream<DynamicTest> aPublisherKeepsTheRules() {
    return tests(Publishing.class, Publishing::new);
  }

  @TestFactory
  Stream<DynamicTest> aSubscriberKeepsTheRules() {
    return tests(Subscribing.class, _ -> new Subscribing());
  }

  private static Stream<DynamicTest> tests(Class<?> kit, Function<RunningLoop, Object> made) {
    return Arrays.stream(kit.getMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .filter(method -> !method.getName().startsWith("untested_"))
        .map(method -> DynamicTest.dynamicTest(method.getName(), () -> run(method, made)));
  }

  private static void run(Method method, Function<RunningLoop, Object> made) throws Throwable {
    try (RunningLoop running = new RunningLoop()) {
      Object tck = made.apply(running);
      invokeAll(tck, BeforeClass.class);
      invokeAll(tck, BeforeMethod.class);
      try {
        method.invoke(tck);
      } finally {
        invokeAll(tck, AfterClass.class);
      }
    } catch (InvocationTargetException failed) {
      if (failed.getCause() instanceof SkipException optional) {
        abort(optional.getMessage());
      }
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }

  private static void invokeAll(Object tck, Class<? extends Annotation> kind) throws Exception {
    for (Method method : tck.getClass().getMethods()) {
      if (method.isAnnotationPresent(kind)) {
        method.invoke(tck);
      }
    }
  }
}
