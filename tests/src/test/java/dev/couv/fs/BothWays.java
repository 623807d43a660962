// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/// The two ways of making a request, so that each test runs in both: by the plain name in a coroutine,
/// by the name that ends in `Now` on a plain thread.
enum BothWays {
  AWAITED(""),
  NOW("Now");

  private final String suffix;

  BothWays(String suffix) {
    this.suffix = suffix;
  }

  void run(Action body) throws Exception {
    if (this == AWAITED) {
      Loop.run(body);
    } else {
      body.run();
    }
  }

  /// Calls the method of `Fs`.
  <T> T fs(String name, Object... arguments) throws Exception {
    return call(Fs.class, null, name, arguments);
  }

  /// Calls the method of the file.
  <T> T file(OpenFile file, String name, Object... arguments) throws Exception {
    return call(OpenFile.class, file, name, arguments);
  }

  @SuppressWarnings("unchecked") // the caller knows
  private <T> T call(Class<?> type, Object on, String name, Object... arguments) throws Exception {
    for (Method method : type.getMethods()) {
      Object[] fitted = method.getName().equals(name + suffix) ? fit(method, arguments) : null;
      if (fitted != null) {
        try {
          return (T) method.invoke(on, fitted);
        } catch (InvocationTargetException e) {
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw (Exception) e.getCause();
        }
      }
    }
    throw new AssertionError(name + suffix + Arrays.toString(arguments));
  }

  /// The arguments for that method, with an empty array for missing variable ones; null if they do not
  /// fit.
  private static Object[] fit(Method method, Object... given) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = given;
    if (method.isVarArgs()) {
      int fixed = types.length - 1;
      if (given.length < fixed) {
        return null;
      }
      Class<?> element = types[fixed].getComponentType();
      Object rest = java.lang.reflect.Array.newInstance(element, given.length - fixed);
      for (int i = fixed; i < given.length; i++) {
        if (!element.isInstance(given[i])) {
          return null;
        }
        java.lang.reflect.Array.set(rest, i - fixed, given[i]);
      }
      arguments = Arrays.copyOf(given, types.length, Object[].class);
      arguments[fixed] = rest;
    }
    if (arguments.length != types.length) {
      return null;
    }
    for (int i = 0; i < types.length; i++) {
      if (types[i] == long.class && arguments[i] instanceof Integer small) {
        arguments = arguments == given ? given.clone() : arguments;
        arguments[i] = small.longValue();
      }
      Class<?> boxed =
          types[i] == int.class ? Integer.class : types[i] == long.class ? Long.class : types[i];
      if (arguments[i] != null && !boxed.isInstance(arguments[i])) {
        return null;
      }
    }
    return arguments;
  }
}
