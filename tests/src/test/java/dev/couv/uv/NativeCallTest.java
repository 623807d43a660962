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
  private final MethodHandle function = MethodHandles.constant(int.class, 1);
  private final MethodHandle replacement = MethodHandles.constant(int.class, 2);

  @Test
  void functionIsLinkedOnceByItsFirstCall() throws Throwable {
    NativeCall call = new NativeCall(TYPE, this::link);
    MethodHandle invoker = call.invoker();
    assertThat(linked).hasValue(0);

    assertThat((long) invoker.invokeExact()).isEqualTo(1);
    assertThat((long) invoker.invokeExact()).isEqualTo(1);
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

    assertThatThrownBy(() -> call.invoker().invoke()).hasMessage("attempt 1");
    assertThatThrownBy(() -> call.invoker().invoke()).hasMessage("attempt 2");
  }

  @Test
  void functionReplacedBeforeItsFirstCallIsNotLinked() throws Throwable {
    NativeCall call = new NativeCall(TYPE, this::link);

    MethodHandle former = call.setTarget(replacement);
    assertThat((long) call.invoker().invokeExact()).isEqualTo(2);
    assertThat(linked).hasValue(0);

    call.setTarget(former);
    assertThat((long) call.invoker().invokeExact()).isEqualTo(1);
  }

  @Test
  void functionReplacedWhileItIsBeingLinkedStaysReplaced() throws Throwable {
    NativeCall[] call = new NativeCall[1];
    call[0] =
        new NativeCall(
            TYPE,
            () -> {
              call[0].setTarget(replacement);
              return function;
            });

    assertThat((long) call[0].invoker().invokeExact()).isEqualTo(1);
    assertThat((long) call[0].invoker().invokeExact()).isEqualTo(2);
  }

  @Test
  void targetIsTheFunctionAlsoBeforeItsFirstCall() {
    NativeCall call = new NativeCall(TYPE, this::link);

    assertThat(call.target()).isSameAs(function);
    call.setTarget(replacement);
    assertThat(call.target()).isSameAs(replacement);
  }

  private MethodHandle link() {
    linked.incrementAndGet();
    return function;
  }
}
