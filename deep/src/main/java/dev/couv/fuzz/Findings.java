// SPDX-License-Identifier: Apache-2.0
package dev.couv.fuzz;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What was found: failures that are nobody's but the library's.
final class Findings {
  /// Of misuse, and of the world, and of being cancelled; everything else is the library's fault.
  private static final Set<Class<?>> NEVER =
      Set.of(
          AssertionError.class,
          ClassCastException.class,
          ArithmeticException.class,
          NegativeArraySizeException.class,
          ArrayStoreException.class,
          StackOverflowError.class,
          IllegalMonitorStateException.class,
          java.util.ConcurrentModificationException.class);

  private final Map<String, String> found = new TreeMap<>();

  synchronized boolean isEmpty() {
    return found.isEmpty();
  }

  synchronized void add(String what, String where) {
    if (found.putIfAbsent(what, where) == null) {
      System.out.println("FOUND " + what + ": " + where);
    }
  }

  /// `proper`: no argument was null.
  void judge(String call, Throwable thrown, boolean proper) {
    boolean mine =
        NEVER.contains(thrown.getClass()) || (proper && thrown instanceof NullPointerException);
    if (mine && isOfTheLibrary(thrown)) {
      List<StackTraceElement> frames = List.of(thrown.getStackTrace());
      add(call + " threw " + thrown, frames.subList(0, Math.min(8, frames.size())).toString());
    }
  }

  /// Not of the functions that were passed.
  private static boolean isOfTheLibrary(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.couv.fuzz.")) {
        return false;
      }
      if (frame.getClassName().startsWith("dev.couv.")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public synchronized String toString() {
    return found.isEmpty() ? "nothing found" : found.size() + " findings";
  }
}
