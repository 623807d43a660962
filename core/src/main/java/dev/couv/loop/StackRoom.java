// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.List;

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
/// variables, so the class is written here byte by byte. Compiled, it is a store for each page of the stack.
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
                  classFile(List.of("touch", "wait", "open"), List.of(8 << 10, 16 << 10, 32 << 10)),
                  true);
      TOUCH = method(room, "touch");
      WAIT = method(room, "wait");
      OPEN = method(room, "open");
    } catch (IOException | ReflectiveOperationException impossible) {
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

  /// `static int name(int one) { …; return 1 / one; }` with as many bytes of variables.
  private static byte[] classFile(List<String> names, List<Integer> sizes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xcafebabe);
    out.writeInt(69); // version 25
    out.writeShort(7 + names.size());
    utf8(out, StackRoom.class.getName().replace('.', '/') + "s"); // 1
    out.writeByte(7); // 2: the class
    out.writeShort(1);
    utf8(out, "java/lang/Object"); // 3
    out.writeByte(7); // 4: its super class
    out.writeShort(3);
    utf8(out, "Code"); // 5
    utf8(out, "(I)I"); // 6
    for (String name : names) { // 7 and on
      utf8(out, name);
    }
    shorts(out, 0x1030, 2, 4, 0, 0, names.size()); // final, synthetic; no interface, no field
    for (int i = 0; i < names.size(); i++) {
      int variables = sizes.get(i) / SLOT;
      shorts(out, 0x0008, 7 + i, 6, 1, 5); // static, its name and type, one attribute: code
      out.writeInt(21);
      shorts(out, 2, variables);
      out.writeInt(9);
      out.writeByte(0x03); // iconst_0
      shorts(out, 0xc436, variables - 1); // wide istore
      out.write(new byte[] {0x04, 0x1a, 0x6c, (byte) 0xac}); // iconst_1 iload_0 idiv ireturn
      shorts(out, 0, 0);
    }
    shorts(out, 0);
    return bytes.toByteArray();
  }

  private static void utf8(DataOutputStream out, String text) throws IOException {
    out.writeByte(1);
    out.writeUTF(text);
  }

  private static void shorts(DataOutputStream out, int... values) throws IOException {
    for (int value : values) {
      out.writeShort(value);
    }
  }
}
