// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Modifier;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who calls the library, and what: found on the stack, for what is told when a call is refused or fails.
public final class Caller {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /// What all classes of the library have in common, and a user's class has not.
  private static final ProtectionDomain OWN = Caller.class.getProtectionDomain();

  private Caller() {}

  /// The function that was called from outside: `Scope.cancel`.
  public static String call() {
    List<StackFrame> own = own();
    return own.isEmpty() ? "this" : name(own.getLast());
  }

  /// The twin of that function which blocks its thread and can be called anywhere: `Fs.readStringNow`. Null
  /// if it has none.
  public static @Nullable String twin() {
    return own().reversed().stream()
        .filter(Caller::hasTwin)
        .findFirst()
        .map(frame -> name(frame) + "Now")
        .orElse(null);
  }

  /// What that call deserves if the subject is not the caller's to use.
  public static IllegalStateException foreign(Object subject) {
    return new IllegalStateException(
        call()
            + ": "
            + subject
            + " belongs to another loop or thread: only its own loop's coroutines can use it."
            + " From elsewhere use Loop.post or Loop.submit");
  }

  /// The frame outside of the library from where it was called; null if there is none.
  public static @Nullable StackFrame frame() {
    return WALKER.walk(frames -> frames.filter(frame -> !isOwn(frame)).findFirst().orElse(null));
  }

  /// The place of that frame.
  public static String place(@Nullable StackFrame frame) {
    return frame == null ? "an unknown place" : frame.toStackTraceElement().toString();
  }

  private static List<StackFrame> own() {
    return WALKER.walk(
        frames -> frames.dropWhile(Caller::isHere).takeWhile(Caller::isOwn).toList());
  }

  private static boolean isHere(StackFrame frame) {
    return frame.getDeclaringClass() == Caller.class;
  }

  private static boolean isOwn(StackFrame frame) {
    return frame.getDeclaringClass().getProtectionDomain().equals(OWN);
  }

  /// A type that users do not know is not named.
  private static String name(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    boolean made = frame.getMethodName().equals("<init>");
    String call = made ? "new " + type.getSimpleName() : frame.getMethodName();
    return made || !Modifier.isPublic(type.getModifiers())
        ? call
        : type.getSimpleName() + "." + call;
  }

  private static boolean hasTwin(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    String twin = frame.getMethodName() + "Now";
    return Modifier.isPublic(type.getModifiers())
        && Arrays.stream(type.getMethods()).anyMatch(method -> method.getName().equals(twin));
  }
}
