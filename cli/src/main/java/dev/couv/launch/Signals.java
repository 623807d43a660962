// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/// The signals that end a program and leave it time to clean up.
enum Signals {
  SIGHUP(1),
  SIGINT(2),
  SIGTERM(15);

  private final int number;

  Signals(int number) {
    this.number = number;
  }

  /// What a shell reports of a program that a signal has ended.
  int exitCode() {
    return 128 + number;
  }

  /// Calls the handler for each signal that comes, on a thread of its own. One that the process was
  /// started to ignore, as `nohup` does, stays ignored.
  ///
  /// By reflection: javac warns of every mention of these classes, in a way that cannot be turned
  /// off. The JDK keeps them (JEP 260) until there is a replacement.
  static void handle(Consumer<Signals> handler) {
    for (Signals signal : values()) {
      signal.handleBy(handler);
    }
  }

  private void handleBy(Consumer<Signals> handler) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object signal = signalType.getConstructor(String.class).newInstance(name().substring(3));
      Object bridge =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (self, method, arguments) -> {
                handler.accept(this);
                return null;
              });
      signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, bridge);
    } catch (InvocationTargetException refused) {
      // The VM was told to leave signals alone (-Xrs), or the system has no such signal.
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("every JDK 25 has it", e);
    }
  }
}
