// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.strand.Suspension;
import dev.couv.world.Machine;
import java.io.IOException;

/// How much a process gets when there is not enough for all: from -20, the most, to 19, the least. The six
/// that have names are the same on every system.
///
/// @param nice how nice it is to others: the more, the less it gets itself
public record Priority(int nice) {
  /// More than anybody else; for a privileged process.
  public static final Priority HIGHEST = new Priority(-20);

  /// Much more than usual; for a privileged process.
  public static final Priority HIGH = new Priority(-14);

  /// Somewhat more than usual; for a privileged process.
  public static final Priority ABOVE_NORMAL = new Priority(-7);

  /// What a process has unless somebody says otherwise.
  public static final Priority NORMAL = new Priority(0);

  /// Somewhat less than usual.
  public static final Priority BELOW_NORMAL = new Priority(10);

  /// What nobody else wants.
  public static final Priority LOW = new Priority(19);

  /// A priority of that number.
  ///
  /// @throws IllegalArgumentException if it is not from -20 to 19
  public Priority {
    if (nice < -20 || nice > 19) {
      throw new IllegalArgumentException("a priority is from -20 to 19, not " + nice);
    }
  }

  /// The priority of this process; on Linux, of its first thread.
  public static Priority get() throws IOException {
    return get(machine().pid());
  }

  /// The priority of a process, by its number.
  ///
  /// @throws IOException with the code `ESRCH` if there is no such process
  public static Priority get(long pid) throws IOException {
    return new Priority(machine().priority(checked(pid)));
  }

  /// Changes the priority of a process. Only a privileged one may give more than there was.
  ///
  /// @throws IOException with the code `ESRCH` if there is no such process, `EACCES` if it may not be given more
  public static void set(long pid, Priority priority) throws IOException {
    machine().setPriority(checked(pid), priority.nice);
  }

  /// Changes the priority of a process, by the number that it is to have.
  ///
  /// @throws IllegalArgumentException if that is not from -20 to 19
  public static void set(long pid, int nice) throws IOException {
    set(pid, new Priority(nice));
  }

  /// Its name, or `OTHER`.
  public String name() {
    return switch (nice) {
      case -20 -> "HIGHEST";
      case -14 -> "HIGH";
      case -7 -> "ABOVE_NORMAL";
      case 0 -> "NORMAL";
      case 10 -> "BELOW_NORMAL";
      case 19 -> "LOW";
      default -> "OTHER";
    };
  }

  private static long checked(long pid) {
    if (pid <= 0 || pid > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("there is no process " + pid);
    }
    return pid;
  }

  private static Machine machine() {
    return Suspension.world().machine();
  }

  @Override
  public String toString() {
    return name() + " (" + nice + ")";
  }
}
