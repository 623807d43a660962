// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The `main` of a class, chosen as `java` does: void, static or not, not private, own or inherited,
/// one that takes the arguments before one that does not.
final class MainMethod {
  private final Method method;
  private final @Nullable Constructor<?> constructor;

  private MainMethod(Method method, @Nullable Constructor<?> constructor) {
    this.method = method;
    this.constructor = constructor;
  }

  static MainMethod of(Class<?> type) throws BadScript {
    Method method =
        find(type, String[].class)
            .or(() -> find(type))
            .orElseThrow(() -> new BadScript("no main method in class " + type.getName()));
    method.setAccessible(true);
    if (Modifier.isStatic(method.getModifiers())) {
      return new MainMethod(method, null);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      if (Modifier.isAbstract(type.getModifiers())
          || Modifier.isPrivate(constructor.getModifiers())) {
        throw noInstance(type);
      }
      constructor.setAccessible(true);
      return new MainMethod(method, constructor);
    } catch (NoSuchMethodException e) {
      throw noInstance(type);
    }
  }

  /// By method handles, not reflection: these leave no frame in the script's stack traces.
  void invoke(List<String> arguments) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle main = lookup.unreflect(method);
    if (constructor != null) {
      main = main.bindTo(lookup.unreflectConstructor(constructor).invoke());
    }
    if (method.getParameterCount() == 0) {
      main.invoke();
    } else {
      main.invoke(arguments.toArray(String[]::new));
    }
  }

  private static Optional<Method> find(Class<?> type, Class<?>... parameters) {
    ArrayDeque<Class<?>> places = new ArrayDeque<>(List.of(type));
    for (Class<?> place; (place = places.poll()) != null; ) {
      try {
        Method found = place.getDeclaredMethod("main", parameters);
        if (isLaunchable(found, type)) {
          return Optional.of(found);
        }
      } catch (NoSuchMethodException e) {
        // Then it is inherited, or there is none.
      }
      if (place.getSuperclass() != null) {
        places.add(place.getSuperclass());
      }
      places.addAll(List.of(place.getInterfaces()));
    }
    return Optional.empty();
  }

  private static boolean isLaunchable(Method main, Class<?> type) {
    Class<?> owner = main.getDeclaringClass();
    // A static method of an interface is not inherited.
    boolean isForeign =
        owner != type && owner.isInterface() && Modifier.isStatic(main.getModifiers());
    return main.getReturnType() == void.class
        && !Modifier.isPrivate(main.getModifiers())
        && !isForeign;
  }

  private static BadScript noInstance(Class<?> type) {
    return new BadScript(
        "main of class "
            + type.getName()
            + " is not static, and the class has no constructor for it without parameters");
  }
}
