// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.io.IOException;
import java.io.InputStream;
import java.lang.StackWalker.StackFrame;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Whether a `close` is called because an exception leaves a try-with-resources block.
///
/// `close` is not told; but the compiler writes two calls of it, and the one for the exceptional way
/// is the one whose own failure is added to the first by `Throwable.addSuppressed`. So the place of the
/// call, found on the stack and looked up in the class file, tells the two apart. Where there is no
/// class file to look at, or another compiler has written other code, the answer is no: the closing
/// then waits.
///
/// Asked only by a `close` that would have to wait, and looked up once per place.
final class Unwinding {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /// Those whose `close` asks, by name: they are above this.
  private static final Set<String> ASKING =
      Set.of(Unwinding.class.getName(), "dev.couv.coro.Scope", "dev.couv.coro.TaskGroup");

  private record Place(String method, String descriptor, int index) {}

  private static final ClassValue<ConcurrentMap<Place, Boolean>> KNOWN =
      new ClassValue<>() {
        @Override
        protected ConcurrentMap<Place, Boolean> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>(2);
        }
      };

  private Unwinding() {}

  static boolean isCause() {
    return WALKER
        .walk(frames -> frames.dropWhile(Unwinding::isOwn).findFirst())
        .map(Unwinding::isExceptional)
        .orElse(false);
  }

  private static boolean isOwn(StackFrame frame) {
    return ASKING.contains(frame.getClassName());
  }

  private static boolean isExceptional(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    Place place = new Place(frame.getMethodName(), frame.getDescriptor(), frame.getByteCodeIndex());
    return KNOWN.get(type).computeIfAbsent(place, asked -> look(type, asked));
  }

  private static boolean look(Class<?> type, Place place) {
    try {
      return code(type, place).map(code -> isExceptional(code, place.index)).orElse(false);
    } catch (IOException | RuntimeException unreadable) {
      return false; // a class file that is not there, or from a later JDK than this one
    }
  }

  private static Optional<CodeAttribute> code(Class<?> type, Place place) throws IOException {
    String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      if (in == null) {
        return Optional.empty();
      }
      for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
        if (method.methodName().equalsString(place.method)
            && method.methodType().equalsString(place.descriptor)) {
          return method.code().map(CodeAttribute.class::cast);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isExceptional(CodeAttribute code, int call) {
    if (!isClose(from(code, call, 1))) {
      return false;
    }
    for (ExceptionCatch handler : code.exceptionHandlers()) {
      if (code.labelToBci(handler.tryStart()) <= call
          && call < code.labelToBci(handler.tryEnd())
          && suppresses(from(code, code.labelToBci(handler.handler()), 4))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isClose(List<Instruction> instructions) {
    return instructions.size() == 1
        && instructions.getFirst() instanceof InvokeInstruction call
        && call.name().equalsString("close");
  }

  /// `first.addSuppressed(second)`, where the second was just caught.
  private static boolean suppresses(List<Instruction> instructions) {
    return instructions.size() == 4
        && instructions.get(0) instanceof StoreInstruction
        && instructions.get(1) instanceof LoadInstruction
        && instructions.get(2) instanceof LoadInstruction
        && instructions.get(3) instanceof InvokeInstruction call
        && call.name().equalsString("addSuppressed");
  }

  /// The first so many instructions from that index on.
  private static List<Instruction> from(CodeModel code, int index, int count) {
    List<Instruction> found = new ArrayList<>(count);
    int at = 0;
    for (CodeElement element : code) {
      if (element instanceof Instruction instruction) {
        if (at >= index && found.size() < count) {
          found.add(instruction);
        }
        at += instruction.sizeInBytes();
      }
    }
    return found;
  }
}
