// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// No main code lives for tests only: whatever the core does not show to users is used by the core, or by a module beside it.
///
/// Methods are known by their names here, whatever they take. What implements something of another type is not looked at:
/// it is that one's users who call it. A text of the same file may be the name of a method that is looked up.
@Tag("loop-scheduled-engine")
final class UsersTest {
  private static final Path ROOT = Path.of(System.getProperty("couv.basedir"));

  private static final List<String> BESIDE =
      List.of(
          "bridge",
          "cli",
          "cluster",
          "http",
          "inspect",
          "libuv",
          "metrics",
          "resilience",
          "testing");

  private static final Set<String> SHOWN =
      Set.of(
          "coro", "error", "fs", "info", "net", "poll", "pool", "process", "signal", "stream",
          "sync", "time", "tty");

  /// The seams that are there for tests.
  private static final Set<String> ALLOWED =
      Set.of(
          "check/TransferCheck.check", // what a property says when a program starts
          "host/PolledPath.seen",
          "loop/CoroutineHandle.state", // what the numbered transitions are about
          "loop/CoroutineRequest.state",
          "loop/ObjectHandle.state",
          "loop/ObjectRequest.state",
          "loop/SpinLock.isAwaited",
          "process/Command.program", // for a child that is started in another way
          "uv/Binder.find", // where a call of C can be replaced
          "uv/Binder.names",
          "uv/NativeCall.replace",
          "uv/NativeCall.target");

  @Test
  void whateverIsNotShownHasAUserInMainCode() throws Exception {
    Map<String, ClassModel> core = new HashMap<>();
    for (ClassModel type : CoreClasses.all()) {
      core.put(type.thisClass().asInternalName(), type);
    }
    Set<String> used = new HashSet<>();
    core.values().forEach(type -> addUsed(type, core, used));
    for (String module : BESIDE) {
      for (ClassModel type : CoreClasses.below(ROOT.resolve(module + "/target/classes/dev/couv"))) {
        addUsed(type, core, used);
      }
    }

    Map<ClassModel, List<ClassModel>> below = below(core);
    Set<String> unused = new TreeSet<>();
    for (ClassModel type : core.values()) {
      for (MethodModel method : type.methods()) {
        String name = nameOf(type) + "." + method.methodName().stringValue();
        if (isOwn(type, method, core, below)
            && !used.contains(type.thisClass().asInternalName() + method.methodName().stringValue())
            && !used.contains(nestOf(type) + " " + method.methodName().stringValue())
            && !ALLOWED.contains(name)) {
          unused.add(name);
        }
      }
    }
    assertEquals(Set.of(), unused);
  }

  /// What the templates in `loop` leave to those who fill them is filled in main code: else the template does something there that
  /// only tests see.
  @Test
  void everyHookOfATemplateIsOverriddenInMainCode() throws Exception {
    Map<String, ClassModel> all = new HashMap<>();
    for (ClassModel type : CoreClasses.all()) {
      all.put(type.thisClass().asInternalName(), type);
    }
    for (String module : BESIDE) {
      for (ClassModel type : CoreClasses.below(ROOT.resolve(module + "/target/classes/dev/couv"))) {
        all.put(type.thisClass().asInternalName(), type);
      }
    }

    Map<ClassModel, List<ClassModel>> below = below(all);
    Set<String> unused = new TreeSet<>();
    int hooks = 0;
    for (ClassModel type : all.values()) {
      if (nameOf(type).startsWith("loop/") && type.flags().has(AccessFlag.ABSTRACT)) {
        for (MethodModel method : type.methods()) {
          String name = method.methodName().stringValue();
          if (isHook(method)) {
            hooks++;
            if (below.get(type).stream().noneMatch(each -> each != type && hasMethod(each, name))) {
              unused.add(nameOf(type) + "." + name);
            }
          }
        }
      }
    }
    assertEquals(Set.of(), unused);
    assertTrue(hooks > 20, "the templates were not found");
  }

  private static boolean isHook(MethodModel method) {
    return method.flags().has(AccessFlag.PROTECTED)
        && !method.flags().has(AccessFlag.FINAL)
        && !method.flags().has(AccessFlag.STATIC)
        && !method.methodName().stringValue().startsWith("<");
  }

  /// The name of what it calls, with each type that may have it; and what it knows as a text, which may be such a name.
  private static void addUsed(ClassModel type, Map<String, ClassModel> core, Set<String> used) {
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof MemberRefEntry member && !(entry instanceof FieldRefEntry)) {
        addTo(member.owner().asInternalName(), member.name().stringValue(), core, used);
      } else if (entry instanceof StringEntry text) {
        used.add(nestOf(type) + " " + text.stringValue());
      }
    }
  }

  private static void addTo(
      String owner, String name, Map<String, ClassModel> core, Set<String> used) {
    ClassModel type = core.get(owner);
    if (type != null && used.add(owner + name)) {
      above(type).forEach(each -> addTo(each, name, core, used));
    }
  }

  private static Stream<String> above(ClassModel type) {
    return Stream.concat(type.superclass().stream(), type.interfaces().stream())
        .map(ClassEntry::asInternalName);
  }

  private static String nestOf(ClassModel type) {
    return type.thisClass().asInternalName().replaceAll("\\$.*", "");
  }

  private static String nameOf(ClassModel type) {
    return type.thisClass().asInternalName().substring("dev/couv/".length());
  }

  private static boolean isOwn(
      ClassModel type,
      MethodModel method,
      Map<String, ClassModel> core,
      Map<ClassModel, List<ClassModel>> below) {
    String name = method.methodName().stringValue();
    boolean isShown =
        SHOWN.contains(nameOf(type).replaceAll("/.*", ""))
            && type.flags().has(AccessFlag.PUBLIC)
            && (method.flags().has(AccessFlag.PUBLIC) || method.flags().has(AccessFlag.PROTECTED));
    boolean isMade =
        method.flags().has(AccessFlag.SYNTHETIC)
            || name.startsWith("<")
            || type.superclass().map(UsersTest::isRecordOrEnum).orElse(false);
    return !isShown
        && !isMade
        && below.get(type).stream().noneMatch(each -> overrides(each, type, name, core));
  }

  private static boolean isRecordOrEnum(ClassEntry superclass) {
    return superclass.asInternalName().equals("java/lang/Record")
        || superclass.asInternalName().equals("java/lang/Enum");
  }

  /// Each class with itself and those that extend it.
  private static Map<ClassModel, List<ClassModel>> below(Map<String, ClassModel> core) {
    Map<ClassModel, List<ClassModel>> below = new HashMap<>();
    for (ClassModel type : core.values()) {
      for (ClassModel at = type; at != null; ) {
        below.computeIfAbsent(at, _ -> new ArrayList<>()).add(type);
        at = at.superclass().map(each -> core.get(each.asInternalName())).orElse(null);
      }
    }
    return below;
  }

  /// Whether a type above that one, but not the one whose method it is, has a method of the name.
  private static boolean overrides(
      ClassModel type, ClassModel but, String name, Map<String, ClassModel> core) {
    return above(type)
        .anyMatch(
            above -> {
              ClassModel known = core.get(above);
              return known == null
                  ? isOfTheJdk(above, name)
                  : (known != but && hasMethod(known, name)) || overrides(known, but, name, core);
            });
  }

  private static boolean hasMethod(ClassModel type, String name) {
    return type.methods().stream().anyMatch(method -> method.methodName().equalsString(name));
  }

  private static boolean isOfTheJdk(String type, String name) {
    try {
      return Stream.of(Class.forName(type.replace('/', '.')).getMethods())
          .anyMatch(method -> method.getName().equals(name));
    } catch (ClassNotFoundException another) {
      return true;
    }
  }
}
