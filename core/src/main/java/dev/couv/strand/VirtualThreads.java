// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
  private static final @Nullable Handles HANDLES;
  private static final @Nullable String OBSTACLE;

  static {
    Handles handles = null;
    String obstacle = null;
    try {
      handles = Handles.look();
    } catch (ReflectiveOperationException | RuntimeException e) {
      obstacle =
          e instanceof IllegalAccessException
              ? "java.lang is not open to it"
              : "this JDK has no " + e.getMessage();
    }
    HANDLES = handles;
    OBSTACLE = obstacle;
  }

  // Constants of their own, so that the JIT sees through them.
  private static final @Nullable MethodHandle NEW = HANDLES == null ? null : HANDLES.create;
  private static final @Nullable MethodHandle TASK = HANDLES == null ? null : HANDLES.task;
  private static final @Nullable MethodHandle CARRIER = HANDLES == null ? null : HANDLES.carrier;
  private static final @Nullable MethodHandle YIELD = HANDLES == null ? null : HANDLES.yield;
  private static final @Nullable MethodHandle SET_STATE = HANDLES == null ? null : HANDLES.setState;
  private static final int PARKING = HANDLES == null ? 0 : HANDLES.parking;
  private static final int RUNNING = HANDLES == null ? 0 : HANDLES.running;
  private static final int CHARACTERISTICS = HANDLES == null ? 0 : HANDLES.noInheritThreadLocals;

  private VirtualThreads() {}

  /// Why it cannot be used here, or null.
  static @Nullable String obstacle() {
    return OBSTACLE;
  }

  /// An unstarted virtual thread that runs wherever the scheduler runs its tasks.
  @SuppressWarnings("NullAway") // only called where there is no obstacle
  static Thread create(Executor scheduler, String name, Runnable body) {
    try {
      return (Thread) NEW.invokeExact(scheduler, name, CHARACTERISTICS, body);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// What the thread hands to its scheduler whenever it may run: the same for the whole of its life.
  @SuppressWarnings("NullAway") // only called where there is no obstacle
  static Runnable task(Thread thread) {
    try {
      return (Runnable) TASK.invokeExact(thread);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// The platform thread that carries the calling thread, or is it.
  @SuppressWarnings("NullAway") // only called where there is no obstacle
  static Thread carrier() {
    try {
      return (Thread) CARRIER.invokeExact();
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /// Parks the calling virtual thread until it is unparked; may return for no reason. False if it is
  /// pinned, and then it did not park.
  @SuppressWarnings("NullAway") // only called where there is no obstacle
  static boolean park(Thread current) {
    try {
      SET_STATE.invokeExact(current, PARKING);
      boolean parked = false;
      try {
        parked = (boolean) YIELD.invokeExact(current);
      } finally {
        if (!parked) {
          SET_STATE.invokeExact(current, RUNNING);
        }
      }
      return parked;
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

  private record Handles(
      MethodHandle create,
      MethodHandle task,
      MethodHandle carrier,
      MethodHandle yield,
      MethodHandle setState,
      int parking,
      int running,
      int noInheritThreadLocals) {

    static Handles look() throws ReflectiveOperationException {
      MethodHandles.Lookup own = MethodHandles.lookup();
      Class<?> builders = Class.forName("java.lang.ThreadBuilders");
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      MethodHandles.Lookup inBuilders = MethodHandles.privateLookupIn(builders, own);
      MethodHandles.Lookup inThread = MethodHandles.privateLookupIn(Thread.class, own);
      MethodHandles.Lookup inVirtual = MethodHandles.privateLookupIn(virtual, own);
      return new Handles(
          inBuilders.findStatic(
              builders,
              "newVirtualThread",
              MethodType.methodType(
                  Thread.class, Executor.class, String.class, int.class, Runnable.class)),
          inVirtual
              .findGetter(virtual, "runContinuation", Runnable.class)
              .asType(MethodType.methodType(Runnable.class, Thread.class)),
          inThread.findStatic(
              Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class)),
          inVirtual
              .findVirtual(virtual, "yieldContinuation", MethodType.methodType(boolean.class))
              .asType(MethodType.methodType(boolean.class, Thread.class)),
          inVirtual
              .findSetter(virtual, "state", int.class)
              .asType(MethodType.methodType(void.class, Thread.class, int.class)),
          (int) inVirtual.findStaticVarHandle(virtual, "PARKING", int.class).get(),
          (int) inVirtual.findStaticVarHandle(virtual, "RUNNING", int.class).get(),
          (int)
              inThread
                  .findStaticVarHandle(Thread.class, "NO_INHERIT_THREAD_LOCALS", int.class)
                  .get());
    }
  }
}
