// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Loop;
import dev.couv.uv.Native;
import dev.couv.uv.UvLibraryError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What Couv stands on, the JDK, libuv and the engine they allow, and what is wrong with it.
record Foundation(Map<String, String> facts, List<String> problems) {
  static Foundation inspect() {
    Foundation foundation = new Foundation(new LinkedHashMap<>(), new ArrayList<>());
    foundation.inspectJava();
    foundation.inspectLibrary();
    foundation.inspectEngine();
    return foundation;
  }

  private void inspectJava() {
    facts.put(
        "Java",
        Runtime.version()
            + ", "
            + System.getProperty("java.vendor")
            + ", "
            + System.getProperty("java.home"));
    if (Runtime.version().feature() != 25) {
      problems.add("Couv is made for JDK 25; on another it may fall back to the slower engine.");
    }
  }

  private void inspectLibrary() {
    try {
      facts.put("libuv", Native.versionString() + ", " + Native.libraryPath());
    } catch (UvLibraryError missing) {
      facts.put("libuv", "none, see below");
      problems.add(missing.getMessage());
    }
  }

  private void inspectEngine() {
    boolean isOpen = Object.class.getModule().isOpen("java.lang", Loop.class.getModule());
    String why = isOpen ? "java.lang is open to it" : "java.lang is not open to it";
    String choice = System.getProperty("couv.engine");
    if (choice != null) {
      why += ", and -Dcouv.engine=" + choice;
    }
    facts.put("engine", engine() + ": " + why);
  }

  /// The engine of a loop that really runs.
  private String engine() {
    if (!problems.isEmpty()) {
      return "not tried, see below";
    }
    try {
      return switch (Loop.run(() -> Loop.current().stats().engine())) {
        case "loop-scheduled" -> "loop-scheduled, the fast one";
        case "hand-over" -> "hand-over, the slower one";
        case String other -> other;
      };
    } catch (Exception | Error failure) {
      problems.add("A loop could not be run: " + failure);
      return "none that works";
    }
  }
}
