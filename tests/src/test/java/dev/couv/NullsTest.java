// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import dev.couv.coro.LoopStats;
import dev.couv.time.Time;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every public method and constructor of these packages refuses null, at the call and before anything has
/// happened, for each parameter that is not marked nullable.
@SuppressWarnings("try") // what it closes may wait, and throw what failed
class NullsTest {
  @ParameterizedTest
  @MethodSource("dev.couv.PublicApi#types")
  void areRefusedByEveryPublicCall(Class<?> type) {
    List<String> problems = new ArrayList<>();
    for (Executable call : PublicApi.calls(type)) {
      for (int i = 0; i < call.getParameterCount(); i++) {
        Parameter parameter = call.getParameters()[i];
        if (!parameter.getType().isPrimitive() && !isNullable(parameter.getAnnotatedType())) {
          problems.addAll(problemInALoop(type, call, i, null));
        }
        if (parameter.getAnnotatedType() instanceof AnnotatedArrayType array
            && !isNullable(array.getAnnotatedGenericComponentType())) {
          Object withNull = Array.newInstance(parameter.getType().getComponentType(), 1);
          problems.addAll(problemInALoop(type, call, i, withNull));
        }
      }
    }

    assertEquals("", String.join("\n", problems));
  }

  /// In one of its own: what is broken by a null ends with it.
  private static List<String> problemInALoop(
      Class<?> type, Executable call, int parameter, @Nullable Object argument) {
    String where = call + ", parameter " + parameter + (argument == null ? ": " : ", element: ");
    try {
      return Loop.run(
          () ->
              Time.timeout(
                  Duration.ofSeconds(5),
                  () -> problem(type, call, parameter, argument).map(where::concat).toList()));
    } catch (Exception | Error thrown) {
      return List.of(where + "then threw " + thrown);
    }
  }

  private static Stream<String> problem(
      Class<?> type, Executable call, int parameter, @Nullable Object argument) throws Exception {
    try (PublicApi api = new PublicApi()) {
      Throwable thrown = api.call(type, call, Collections.singletonMap(parameter, argument));
      if (thrown == null) {
        return Stream.of("accepted");
      }
      if (!(thrown instanceof NullPointerException || thrown instanceof IllegalArgumentException)) {
        return Stream.of("threw " + thrown);
      }
    }
    // Only what has not happened leaves nothing behind.
    LoopStats left = Loop.current().stats();
    return left.coroutines() <= 2 && left.handles() == 0 && left.timers() <= 1
        ? Stream.of()
        : Stream.of("left " + left);
  }

  /// Marked so, or of a type that may be any, nullable ones included.
  private static boolean isNullable(AnnotatedType type) {
    if (type.isAnnotationPresent(Nullable.class)) {
      return true;
    }
    if (type instanceof AnnotatedTypeVariable
        && type.getType() instanceof TypeVariable<?> variable) {
      return Arrays.stream(variable.getAnnotatedBounds()).anyMatch(NullsTest::isNullable);
    }
    return false;
  }
}
