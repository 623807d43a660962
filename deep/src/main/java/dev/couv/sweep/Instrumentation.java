// SPDX-License-Identifier: Apache-2.0
package dev.couv.sweep;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts a [ParkPoints#point] before and after every call of the library's classes that leaves it for code which may
/// park the calling coroutine: a lock, a cleaner, an executor, a thread that is started, a channel, a
/// logger, whatever a function of the user does; before every monitor; and before the library's own
/// synchronized methods.
///
/// Left out are calls that cannot park: collections, buffers, native memory, method handles, atomics, the
/// lock-free queue, and the parks and unparks that are the switch itself.
final class Instrumentation {
  private static final ClassDesc HOOK = ClassDesc.of("dev.couv.sweep.ParkPoints");
  private static final MethodTypeDesc HOOK_TYPE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_boolean);

  /// May park, for a lock of the JDK.
  private static final List<String> LOCKING =
      List.of(
          "java/util/concurrent/",
          "java/lang/ref/Cleaner",
          "java/lang/ref/ReferenceQueue.poll",
          "java/lang/foreign/Arena.ofAuto", // has a cleaner
          "java/nio/ByteBuffer.allocateDirect", // likewise
          "java/lang/Thread$Builder",
          "java/lang/ThreadGroup",
          "java/lang/System$Logger",
          "java/lang/ClassValue",
          "java/lang/Runtime",
          "java/net/",
          "java/nio/channels/",
          "java/nio/file/",
          "java/security/",
          "javax/");

  /// Runs code that nobody here knows.
  private static final List<String> UNKNOWN =
      List.of(
          "java/util/function/",
          "java/lang/Runnable",
          "java/lang/AutoCloseable",
          "java/util/concurrent/Callable");

  /// Whose functions are the library's own, called under a lock that spins, or read the clock.
  private static final List<String> OWN_FUNCTIONS =
      List.of(
          "sync/Passage.",
          "sync/Meeting.",
          "loop/EventLoop.clock",
          "loop/EventLoop.isInside",
          "strand/LoopLocals.");

  /// Where an iterator may be the user's.
  private static final List<String> ITERATING =
      List.of("strand/Waker.", "coro/Await.", "coro/Member.", "coro/TaskGroup.", "pool/Mapping.");

  private static final List<String> NEVER =
      List.of(
          "java/util/concurrent/atomic/",
          "java/util/concurrent/locks/LockSupport",
          "java/util/concurrent/ConcurrentLinkedQueue",
          "java/util/concurrent/TimeUnit",
          "java/util/concurrent/ThreadLocalRandom",
          "java/net/InetSocketAddress",
          "java/net/InetAddress",
          "java/net/Inet4Address",
          "java/net/Inet6Address",
          "java/net/UnixDomainSocketAddress",
          "java/nio/file/Path");

  private static final Set<String> OF_THREADS =
      Set.of("start", "interrupt", "join", "getStackTrace");

  /// Synchronized methods of the library.
  private final Set<String> synchronizedMethods = new HashSet<>();

  private final Map<ClassDesc, byte[]> library = new HashMap<>();
  private final ClassFile files =
      ClassFile.of(
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(this::open)
                  .orElse(ClassHierarchyResolver.defaultResolver())));

  /// Remembers what calls of the class must be marked. All classes come here before the first is changed.
  void look(byte[] classFile) {
    ClassModel model = files.parse(classFile);
    library.put(model.thisClass().asSymbol(), classFile);
    for (MethodModel method : model.methods()) {
      if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
        synchronizedMethods.add(
            model.thisClass().asInternalName() + "." + method.methodName() + method.methodType());
      }
    }
  }

  private @Nullable InputStream open(ClassDesc type) {
    byte[] classFile = library.get(type);
    return classFile == null ? null : new ByteArrayInputStream(classFile);
  }

  byte[] apply(byte[] classFile) {
    ClassModel model = files.parse(classFile);
    String name = model.thisClass().asInternalName();
    return files.transformClass(
        model,
        (classBuilder, element) -> {
          if (element instanceof MethodModel method
              && method.code().isPresent()
              && !method.methodName().equalsString("<clinit>")) { // nobody can leave that
            String at = name.substring("dev/couv/".length()) + "." + method.methodName();
            classBuilder.transformMethod(
                method,
                (methodBuilder, part) -> {
                  if (part instanceof java.lang.classfile.CodeModel code) {
                    methodBuilder.transformCode(code, new Marks(at));
                  } else {
                    methodBuilder.with(part);
                  }
                });
          } else {
            classBuilder.with(element);
          }
        });
  }

  /// Marks the calls of one method.
  private final class Marks implements CodeTransform {
    private final String method;
    private int line;

    Marks(String method) {
      this.method = method;
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      switch (element) {
        case LineNumber number -> {
          line = number.line();
          builder.with(element);
        }
        case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER -> {
          mark(builder, "before a monitor", true);
          builder.with(element);
        }
        case InvokeInstruction call -> accept(builder, call);
        default -> builder.with(element);
      }
    }

    /// What a call does may have happened before it parks, so there is a point on either side.
    private void accept(CodeBuilder builder, InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      String name = call.name().stringValue();
      String called = owner + "." + name;
      boolean locking =
          synchronizedMethods.contains(called + call.type()) || isLocking(owner, name);
      boolean marked = locking || (isUnknown(owner) && !name.equals("<init>"));
      if (marked) {
        mark(builder, "before " + called, locking);
      }
      builder.with(call);
      if (marked && !name.equals("<init>")) {
        mark(builder, "after " + called, false);
      }
    }

    private boolean isUnknown(String owner) {
      return (startsWith(UNKNOWN, owner) && !startsWith(OWN_FUNCTIONS, method))
          || (startsWith(ITERATING, method)
              && (owner.equals("java/util/Iterator") || owner.equals("java/lang/Iterable")));
    }

    private void mark(CodeBuilder builder, String where, boolean takesLock) {
      int point = ParkPoints.add(method + ":" + line + " " + where);
      builder
          .loadConstant(point)
          .loadConstant(takesLock ? 1 : 0)
          .invokestatic(HOOK, "point", HOOK_TYPE);
    }
  }

  private static boolean isLocking(String owner, String name) {
    if (owner.equals("java/lang/Thread")) {
      return OF_THREADS.contains(name);
    }
    return startsWith(LOCKING, owner + "." + name)
        && !startsWith(NEVER, owner)
        && !owner.endsWith("Exception")
        && !owner.endsWith("/Callable");
  }

  private static boolean startsWith(List<String> prefixes, String owner) {
    return prefixes.stream().anyMatch(owner::startsWith);
  }
}
