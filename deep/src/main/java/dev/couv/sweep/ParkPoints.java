// SPDX-License-Identifier: Apache-2.0
package dev.couv.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// The hook that [Instrumentation] puts before every call of the library that may park: it counts those
/// that one thread, the subject, passes, and parks it at one of them as a contended lock would. Loaded once,
/// for the code that is swept and for the code that sweeps.
public final class ParkPoints {
  private static final List<String> SITES = new ArrayList<>();

  /// Where a loop's own thread came by a point that takes a lock.
  private static final Set<String> ON_LOOP_THREADS = ConcurrentHashMap.newKeySet();

  private static volatile @Nullable Thread subject;
  private static volatile @Nullable Semaphore parked;

  // Of the subject alone, while it is that.
  private static int passed;
  private static int parkAt;
  private static int parkedAt = -1;

  private ParkPoints() {}

  /// A new point; returns its number.
  public static synchronized int add(String site) {
    SITES.add(site);
    return SITES.size() - 1;
  }

  public static synchronized String site(int point) {
    return SITES.get(point);
  }

  public static synchronized int count() {
    return SITES.size();
  }

  public static Set<String> onLoopThreads() {
    return new TreeSet<>(ON_LOOP_THREADS);
  }

  /// The calling thread is the subject from now on, and parks at the point that it reaches as the `at`th.
  public static void begin(int at) {
    passed = 0;
    parkAt = at;
    parkedAt = -1;
    subject = Thread.currentThread();
  }

  /// It is not any more.
  public static void end() {
    if (Thread.currentThread() == subject) {
      subject = null;
    }
  }

  public static boolean isParked() {
    return parked != null;
  }

  /// Where it has parked; null if it never came so far.
  public static @Nullable String parkedSite() {
    return parkedAt < 0 ? null : site(parkedAt);
  }

  public static void release() {
    Semaphore gate = parked;
    if (gate != null) {
      parked = null;
      gate.release();
    }
  }

  /// Nobody is swept.
  public static void reset() {
    subject = null;
    release();
  }

  /// Called by instrumented code.
  public static void point(int number, boolean takesLock) {
    Thread current = Thread.currentThread();
    if (current == subject) {
      if (++passed == parkAt) {
        Semaphore gate = new Semaphore(0);
        parkedAt = number;
        subject = null;
        parked = gate;
        gate.acquireUninterruptibly(); // as who waits for a lock: an interrupt does not end it
      }
    } else if (takesLock && !current.isVirtual() && current.getName().startsWith("sweep-loop")) {
      String site = site(number);
      if (!ON_LOOP_THREADS.contains(site) && isRunning()) {
        ON_LOOP_THREADS.add(site);
      }
    }
  }

  /// Whether the calling thread runs its loop: before and after that it may take its time.
  private static boolean isRunning() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().equals("dev.couv.strand.Scheduler")
                            && frame.getMethodName().equals("drive")));
  }
}
