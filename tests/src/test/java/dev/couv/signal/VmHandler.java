// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import java.lang.reflect.Proxy;

/// A handler as other code of the same VM installs it, by `sun.misc.Signal`: by name, because the compiler
/// warns of every direct use.
final class VmHandler {
  private VmHandler() {}

  /// One that runs the action.
  static Object of(Runnable action) throws Exception {
    Class<?> type = Class.forName("sun.misc.SignalHandler");
    return Proxy.newProxyInstance(
        VmHandler.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                action.run();
                yield null;
              }
              case "equals" -> self == arguments[0];
              case "hashCode" -> System.identityHashCode(self);
              default -> "handler of a test";
            });
  }

  /// Sets it, and returns the one that was there.
  static Object exchange(Signal signal, Object handler) throws Exception {
    Class<?> type = Class.forName("sun.misc.Signal");
    return type.getMethod("handle", type, Class.forName("sun.misc.SignalHandler"))
        .invoke(null, type.getConstructor(String.class).newInstance(signal.name()), handler);
  }
}
