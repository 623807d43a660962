// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.Map;

/// Whether the stack has room for what the runtime is about to do. Asked at every door into it, before
/// anything has changed: so a stack that is at its end stops a call as a whole, and never in the middle
/// of a change that nobody could take back, because that takes stack, too.
///
/// The doors are of three heights, each with room for those below it: whoever was let in to open something
/// has room to wait, and whoever waits has room to leave and to close.
///
/// ## How it asks
///
/// A method is entered only if there is room for all its variables. That holds for compiled code, too,
/// which has no use for them: it may have to go on interpreted, where a division fails. So it asks by
/// calling a method that has one variable with a high number and divides; Java has no words for that but as many
/// variables, so the class is made here of instructions. Compiled, it is a store for each page of the stack.
public final class StackRoom {
  private static final int SLOT = 8;

  private static final MethodHandle TOUCH;
  private static final MethodHandle WAIT;
  private static final MethodHandle OPEN;

  /// Never changed, and not final: then the division would be left out.
  @SuppressWarnings("FieldMayBeFinal")
  private static int one = 1;

  static {
    try {
      Lookup room =
          MethodHandles.lookup()
              .defineHiddenClass(
                  classFile(Map.of("touch", 8 << 10, "wait", 16 << 10, "open", 32 << 10)), true);
      TOUCH = method(room, "touch");
      WAIT = method(room, "wait");
      OPEN = method(room, "open");
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private StackRoom() {}

  /// Loads what asking takes, where there is room.
  static void prepare() {
    toTouch();
    toWait();
    toOpen();
  }

  /// For what changes an object: closes it, completes it, wakes somebody.
  public static void toTouch() {
    enter(TOUCH);
  }

  /// For an await: it is begun and ended, or left.
  public static void toWait() {
    enter(WAIT);
  }

  /// For what opens something that has to be closed, or starts what has to be ended.
  public static void toOpen() {
    enter(OPEN);
  }

  private static void enter(MethodHandle room) {
    try {
      int _ = (int) room.invokeExact(one);
    } catch (Error noRoom) {
      throw noRoom;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static MethodHandle method(Lookup room, String name) throws ReflectiveOperationException {
    MethodType type = MethodType.methodType(int.class, int.class);
    return room.findStatic(room.lookupClass(), name, type);
  }

  /// `static int name(int one) { …; return 1 / one; }` with as many bytes of variables, for each name.
  private static byte[] classFile(Map<String, Integer> sizes) {
    MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
    return ClassFile.of()
        .build(
            ClassDesc.of(StackRoom.class.getName() + "s"),
            room ->
                sizes.forEach(
                    (name, size) ->
                        room.withMethodBody(
                            name,
                            type,
                            ClassFile.ACC_STATIC,
                            code ->
                                code.iconst_0()
                                    .istore(size / SLOT - 1)
                                    .iconst_1()
                                    .iload(0)
                                    .idiv()
                                    .ireturn())));
  }
}
