// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A running program that can be looked into: a JVM, and as far as can be told from outside one on Couv.
///
/// @param pid its process
/// @param title what it was started as
/// @param started when
/// @param silent whether its JVM says nothing when an agent is loaded, which others write a warning about
public record Program(long pid, String title, Optional<Instant> started, boolean silent) {
  /// Of which somebody might be told what its JVM will write.
  public static final String WARNING =
      "its JVM writes four lines of warning about a loaded agent to its error output;"
          + " started with -XX:+EnableDynamicAgentLoading, it does not";

  /// Those of this machine that are on Couv and that this user may look into, the oldest first. They do not notice.
  public static List<Program> all() {
    List<Program> programs = new ArrayList<>();
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      try {
        JavaProcess java = JavaProcess.of(process.pid());
        if (java != null && process.pid() != ProcessHandle.current().pid() && java.isCouv()) {
          programs.add(of(process, java));
        }
      } catch (IOException notOurs) {
        // another user's, or gone
      }
    }
    programs.sort(Comparator.comparing(program -> program.started.orElse(Instant.MAX)));
    return programs;
  }

  /// The one with that number.
  ///
  /// @throws Refusal if there is none, or it is no JVM, has no loop, or is another user's; it has not noticed
  public static Program of(long pid) throws Refusal {
    ProcessHandle process =
        ProcessHandle.of(pid).orElseThrow(() -> new Refusal("there is no process " + pid));
    if (pid == ProcessHandle.current().pid()) {
      throw new Refusal("process " + pid + " is this one");
    }
    if (!JavaProcess.canRead()) {
      return new Program(pid, "process " + pid, process.info().startInstant(), true);
    }
    try {
      JavaProcess java = JavaProcess.of(pid);
      if (java == null) {
        throw new Refusal("process " + pid + " is not a Java program");
      }
      if (!java.hasLibuv()) {
        throw new Refusal("process " + pid + " is a Java program, but has had no loop of Couv");
      }
      return of(process, java);
    } catch (IOException unreadable) {
      throw unreadable(process, unreadable);
    }
  }

  private static Refusal unreadable(ProcessHandle process, IOException why) {
    String user = process.info().user().orElse("another user");
    String self = ProcessHandle.current().info().user().orElse("");
    if (!process.isAlive()) {
      return new Refusal("there is no process " + process.pid(), why);
    }
    return new Refusal(
        user.equals(self)
            ? "may not look into process " + process.pid()
            : "process " + process.pid() + " belongs to " + user + ": ask as that user",
        why);
  }

  private static Program of(ProcessHandle process, JavaProcess java) {
    return new Program(
        process.pid(), java.words().title(), process.info().startInstant(), java.isSilent());
  }

  /// How long it has been running, as far as the system tells.
  public Duration uptime() {
    return started.map(since -> Duration.between(since, Instant.now())).orElse(Duration.ZERO);
  }
}
