// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.strand.Suspension;
import dev.couv.world.Environment;
import dev.couv.world.Program;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The environment of this process, as native code and children see it. Java's own view,
/// `System.getenv`, is that of the start, and does not follow.
///
/// Text is UTF-8. A value that is not is read with `\uFFFD` in the place of what is none; children that inherit it get
/// it as it is.
///
/// Any thread, one at a time: the system's environment is not made for several. Native code of others
/// does not know of this lock.
public final class Env {
  private Env() {}

  /// The value, or null if there is no such variable.
  ///
  /// @throws IllegalArgumentException if the name is empty or contains `=` or a NUL
  public static @Nullable String get(String name) throws IOException {
    check(name, "");
    return world().get(name);
  }

  /// Gives a variable a value, whether it was there or not.
  ///
  /// @throws IllegalArgumentException if the name is empty or contains `=`, or either contains a NUL
  public static void set(String name, String value) throws IOException {
    check(name, value);
    world().set(name, value);
  }

  /// Removes a variable, if it is there.
  ///
  /// @throws IllegalArgumentException if the name is empty or contains `=` or a NUL
  public static void unset(String name) throws IOException {
    check(name, "");
    world().unset(name);
  }

  /// All variables, in a map that is the caller's.
  public static Map<String, String> all() throws IOException {
    return world().all();
  }

  /// Puts all variables into a map, and returns it. What else is in there stays.
  public static <M extends Map<String, String>> M all(M into) throws IOException {
    into.putAll(world().all());
    return into;
  }

  /// Throws if it cannot be a variable of any process.
  static void check(String name, String value) {
    if (name.isEmpty() || name.indexOf('=') >= 0) {
      throw new IllegalArgumentException("no variable can have the name '" + name + "'");
    }
    Program.checkNoNul(name, "the variable's name");
    Program.checkNoNul(value, "the value of " + name);
  }

  private static Environment world() {
    return Suspension.world().environment();
  }
}
