// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class NativeCallTest {
  private static final MethodType TYPE = MethodType.methodType(int.class);

  private final AtomicInteger linked = new AtomicInteger();

  /// With a bit that is none of an int's: C leaves such bits as they are.
  private final MethodHandle function =
      MethodHandles.dropArguments(
          MethodHandles.constant(long.class, 1L << 40 | 1), 0, Shape.longs(TYPE).parameterList());

  private final MethodHandle replacement = MethodHandles.constant(int.class, 2);

  @Test
  void functionIsLinkedOnceByItsFirstCall() throws Throwable {
    NativeCall call = new NativeCall(TYPE, this::link);
    assertThat(linked).hasValue(0);

    assertThat(called(call)).isEqualTo(1);
    assertThat(called(call)).isEqualTo(1);
    assertThat(linked).hasValue(1);
  }

  @Test
  void callThrowsEachTimeWhereLinkingFails() {
    NativeCall call =
        new NativeCall(
            TYPE,
            () -> {
              throw new UvLibraryError("attempt " + linked.incrementAndGet());
            });

    assertThatThrownBy(() -> called(call)).hasMessage("attempt 1");
    assertThatThrownBy(() -> called(call)).hasMessage("attempt 2");
  }

  @Test
  void functionReplacedBeforeItsFirstCallIsNotLinked() throws Throwable {
    NativeCall call = new NativeCall(TYPE, this::link);

    MethodHandle former = call.replace(replacement);
    assertThat(called(call)).isEqualTo(2);
    assertThat(linked).hasValue(0);

    call.replace(former);
    assertThat(called(call)).isEqualTo(1);
  }

  @Test
  void functionReplacedWhileItIsBeingLinkedStaysReplaced() throws Throwable {
    NativeCall[] call = new NativeCall[1];
    call[0] =
        new NativeCall(
            TYPE,
            () -> {
              call[0].replace(replacement);
              return function;
            });

    assertThat(called(call[0])).isEqualTo(1);
    assertThat(called(call[0])).isEqualTo(2);
  }

  @Test
  void targetIsTheFunctionAlsoBeforeItsFirstCall() throws Throwable {
    NativeCall call = new NativeCall(TYPE, this::link);

    assertThat((int) call.target().invokeExact()).isEqualTo(1);
    call.replace(replacement);
    assertThat(call.target()).isSameAs(replacement);
  }

  private static long called(NativeCall call) {
    return new Call(call.site, Shape.shift(int.class)).call();
  }

  private MethodHandle link() {
    linked.incrementAndGet();
    return function;
  }
}
