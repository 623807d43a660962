// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The one class that knows what JDK 25 does not export: a virtual thread with a scheduler of one's
/// own, the carrier of the calling thread, and a park that reports being pinned instead of blocking
/// the carrier. A public scheduler API of a later JDK replaces this class.
///
/// The park is `VirtualThread.park` without its last step: the state goes to PARKING, the
/// continuation yields, and where it cannot (a native frame or a static initialiser is on the stack)
/// the state goes back and the caller is told.
final class VirtualThreads {
  private static final @Nullable String OBSTACLE = look();

  private VirtualThreads() {}

  /// Why it cannot be used here, or null.
  static @Nullable String obstacle() {
    return OBSTACLE;
  }

  /// An unstarted virtual thread that runs wherever the scheduler runs its tasks.
  static Thread create(Executor scheduler, String name, Runnable body) {
    try {
      return (Thread) Jdk.NEW.invokeExact(scheduler, name, Jdk.CHARACTERISTICS, body);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Has one live and end, on the calling thread, unless that is virtual itself. Before the first coroutine: where the compiler compiles the
  /// life of a thread before any has ended, what comes behind its body is not known to it, and all that were begun by then leave the compiled
  /// code when they end, which takes ten times as long.
  static void endOne() {
    if (Thread.currentThread().isVirtual()) {
      return;
    }
    boolean interrupted = Thread.interrupted(); // which carrying another thread would clear
    create(Runnable::run, "", () -> {}).start();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// What the thread hands to its scheduler whenever it may run: the same for the whole of its life.
  static Runnable task(Thread thread) {
    try {
      return (Runnable) Jdk.TASK.invokeExact(thread);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// The platform thread that carries the calling thread, or is it.
  static Thread carrier() {
    try {
      return (Thread) Jdk.CARRIER.invokeExact();
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Parks the calling virtual thread until it is unparked; may return for no reason. False if it is
  /// pinned, and then it did not park.
  static boolean park(Thread current) {
    try {
      Jdk.SET_STATE.invokeExact(current, Jdk.PARKING);
      boolean parked = false;
      try {
        parked = (boolean) Jdk.YIELD.invokeExact(current);
      } finally {
        if (!parked) {
          Jdk.SET_STATE.invokeExact(current, Jdk.RUNNING);
        }
      }
      return parked;
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Takes it upon the caller to have a thread run again that has parked: whoever unparks it from now on does nothing. False if it is
  /// not parked, or somebody else was quicker.
  static boolean claim(Thread parked) {
    try {
      return (boolean) Jdk.CHANGE_STATE.invokeExact(parked, Jdk.PARKED, Jdk.UNPARKED);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Whether the thread, which runs nowhere now, left by a `Thread.yield`.
  static boolean hasYielded(Thread thread) {
    try {
      return (int) Jdk.STATE.invokeExact(thread) == Jdk.YIELDED;
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static RuntimeException unexpected(Throwable t) {
    switch (t) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(t);
    }
  }

  private static @Nullable String look() {
    try {
      MethodHandles.lookup().ensureInitialized(Jdk.class);
      return null;
    } catch (ExceptionInInitializerError refused) {
      Throwable cause = Objects.requireNonNull(refused.getCause());
      return cause instanceof IllegalAccessException
          ? "java.lang is not open to it"
          : "this JDK has no " + cause.getMessage();
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /// What the JDK does not export. Cannot be initialised where it is not open, or not there.
  private static final class Jdk {
    static final MethodHandle NEW;
    static final MethodHandle TASK;
    static final MethodHandle CARRIER;
    static final MethodHandle YIELD;
    static final MethodHandle SET_STATE;
    static final MethodHandle STATE;
    static final MethodHandle CHANGE_STATE;
    static final int PARKING;
    static final int PARKED;
    static final int UNPARKED;
    static final int RUNNING;
    static final int YIELDED;
    static final int CHARACTERISTICS;

    static {
      try {
        MethodHandles.Lookup own = MethodHandles.lookup();
        Class<?> builders = Class.forName("java.lang.ThreadBuilders");
        Class<?> virtual = Class.forName("java.lang.VirtualThread");
        MethodHandles.Lookup inBuilders = MethodHandles.privateLookupIn(builders, own);
        MethodHandles.Lookup inThread = MethodHandles.privateLookupIn(Thread.class, own);
        MethodHandles.Lookup inVirtual = MethodHandles.privateLookupIn(virtual, own);
        NEW =
            inBuilders.findStatic(
                builders,
                "newVirtualThread",
                MethodType.methodType(
                    Thread.class, Executor.class, String.class, int.class, Runnable.class));
        TASK =
            inVirtual
                .findGetter(virtual, "runContinuation", Runnable.class)
                .asType(MethodType.methodType(Runnable.class, Thread.class));
        CARRIER =
            inThread.findStatic(
                Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
        YIELD =
            inVirtual
                .findVirtual(virtual, "yieldContinuation", MethodType.methodType(boolean.class))
                .asType(MethodType.methodType(boolean.class, Thread.class));
        SET_STATE =
            inVirtual
                .findSetter(virtual, "state", int.class)
                .asType(MethodType.methodType(void.class, Thread.class, int.class));
        STATE =
            inVirtual
                .findGetter(virtual, "state", int.class)
                .asType(MethodType.methodType(int.class, Thread.class));
        CHANGE_STATE =
            inVirtual
                .findVirtual(
                    virtual,
                    "compareAndSetState",
                    MethodType.methodType(boolean.class, int.class, int.class))
                .asType(MethodType.methodType(boolean.class, Thread.class, int.class, int.class));
        PARKED = (int) inVirtual.findStaticVarHandle(virtual, "PARKED", int.class).get();
        UNPARKED = (int) inVirtual.findStaticVarHandle(virtual, "UNPARKED", int.class).get();
        PARKING = (int) inVirtual.findStaticVarHandle(virtual, "PARKING", int.class).get();
        RUNNING = (int) inVirtual.findStaticVarHandle(virtual, "RUNNING", int.class).get();
        YIELDED = (int) inVirtual.findStaticVarHandle(virtual, "YIELDED", int.class).get();
        CHARACTERISTICS =
            (int)
                inThread
                    .findStaticVarHandle(Thread.class, "NO_INHERIT_THREAD_LOCALS", int.class)
                    .get();
      } catch (ReflectiveOperationException refused) {
        throw new ExceptionInInitializerError(refused);
      }
    }

    private Jdk() {}
  }
}
