// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Signals caught by way of the VM: those that it catches itself, for its shutdown hooks, where its native
/// handler stays and only what it calls in Java is exchanged; and those that must be heard whatever the
/// loops do.
///
/// That is `sun.misc.Signal`, in the module `jdk.unsupported`, found by name: the compiler warns of
/// every direct use, and a run-time image without that module works as well, because whatever the
/// VM does not give away is caught through libuv.
///
/// Any thread. The VM calls the listeners on a thread of its own for each signal.
final class VmSignals {
  private static final @Nullable Vm VM = Vm.find();

  /// By their names, without `SIG`.
  private static final Map<String, Taken> TAKEN = new HashMap<>();

  /// What the VM did not give away. It never will: but it would seem to, once libuv catches what was ignored, and both
  /// would lose it.
  private static final Set<String> REFUSED = new HashSet<>();

  private VmSignals() {}

  /// A signal that is taken over: what is called now, what was called before, and whom it is for.
  private record Taken(Object handler, Object former, Set<Runnable> listeners) {}

  /// Tells the listener of each such signal from now on. False if the VM does not give it away: it runs
  /// with `-Xrs`, or was started with the signal ignored.
  static synchronized boolean subscribe(String signal, int number, Runnable listener) {
    if (VM == null || REFUSED.contains(signal)) {
      return false;
    }
    Taken taken = TAKEN.get(signal);
    if (taken == null) {
      Set<Runnable> listeners = new LinkedHashSet<>();
      Object handler = VM.handler(() -> copy(listeners).forEach(Runnable::run));
      Object former = VM.handle(signal, handler);
      if (former == null || Disposition.isIgnored(number)) {
        if (former != null) {
          VM.handle(signal, former);
        }
        REFUSED.add(signal);
        return false;
      }
      taken = new Taken(handler, former, listeners);
      TAKEN.put(signal, taken);
    }
    taken.listeners.add(listener);
    return true;
  }

  private static synchronized List<Runnable> copy(Set<Runnable> listeners) {
    return List.copyOf(listeners);
  }

  /// The last one gives the signal back to whom it belonged, unless somebody else has taken it
  /// meanwhile: then it stays theirs.
  static synchronized void unsubscribe(String signal, Runnable listener) {
    Taken taken = TAKEN.get(signal);
    if (VM != null && taken != null && taken.listeners.remove(listener)) {
      if (taken.listeners.isEmpty()) {
        TAKEN.remove(signal);
        Object found = VM.handle(signal, taken.former);
        if (found != null && found != taken.handler) {
          VM.handle(signal, found);
        }
      }
    }
  }

  /// Whether nobody else hears the signal: then it is for this one to do what the system would do.
  static synchronized boolean isAlone(String signal, Runnable listener) {
    Taken taken = TAKEN.get(signal);
    return taken != null && taken.listeners.equals(Set.of(listener));
  }

  /// `sun.misc.Signal`, as far as it is used: its constructor, and `handle`.
  private record Vm(Class<?> handlerType, MethodHandle newSignal, MethodHandle handle) {
    static @Nullable Vm find() {
      try {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        return new Vm(
            handler,
            lookup
                .findConstructor(signal, MethodType.methodType(void.class, String.class))
                .asType(MethodType.methodType(Object.class, String.class)),
            lookup
                .findStatic(signal, "handle", MethodType.methodType(handler, signal, handler))
                .asType(MethodType.methodType(Object.class, Object.class, Object.class)));
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }

    Object handler(Runnable action) {
      return Proxy.newProxyInstance(
          handlerType.getClassLoader() == null
              ? VmSignals.class.getClassLoader()
              : handlerType.getClassLoader(),
          new Class<?>[] {handlerType},
          (self, method, arguments) -> answer(self, method, arguments, action));
    }

    /// Sets the handler. The one that was there before; null if the VM refuses.
    @Nullable Object handle(String signal, Object handler) {
      try {
        return (Object) handle.invokeExact((Object) newSignal.invokeExact(signal), handler);
      } catch (IllegalArgumentException refused) {
        return null;
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable t) {
        throw new AssertionError(t);
      }
    }

    private static @Nullable Object answer(
        Object self, Method method, Object @Nullable [] arguments, Runnable action) {
      return switch (method.getName()) {
        case "handle" -> {
          action.run();
          yield null;
        }
        case "equals" -> arguments != null && self == arguments[0];
        case "hashCode" -> System.identityHashCode(self);
        default -> "signal handler of Couv";
      };
    }
  }
}
