// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileElement;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.FieldTransform;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.RuntimeInvisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ForwardingJavaFileObject;
import javax.tools.JavaFileManager.Location;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import org.jspecify.annotations.Nullable;

/// The classes that snippets are compiled with, without the annotations on their types.
///
/// JShell declares a variable for `var x = …`, and for each value that is given no name, and writes out its type. Of one that
/// is annotated it makes `Coroutine<@Nullable java.lang.Void>`, which is no Java; the snippet is then not run.
final class PlainTypes implements InvocationHandler {
  private static final Object[] NONE = {};

  private static final ClassTransform PLAIN =
      ClassTransform.dropping((ClassElement each) -> isOfTypes(each))
          .andThen(
              ClassTransform.transformingMethods(MethodTransform.dropping(PlainTypes::isOfTypes)))
          .andThen(
              ClassTransform.transformingFields(FieldTransform.dropping(PlainTypes::isOfTypes)));

  private final StandardJavaFileManager files;

  private PlainTypes(StandardJavaFileManager files) {
    this.files = files;
  }

  /// A proxy, because only two of the many methods matter.
  static StandardJavaFileManager of(StandardJavaFileManager files) {
    return (StandardJavaFileManager)
        Proxy.newProxyInstance(
            PlainTypes.class.getClassLoader(),
            new Class<?>[] {StandardJavaFileManager.class},
            new PlainTypes(files));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] given = arguments == null ? NONE : arguments.clone();
    for (int i = 0; i < given.length; i++) {
      if (given[i] instanceof PlainClass plain) {
        given[i] = plain.itself();
      }
    }
    try {
      Object result = method.invoke(files, given);
      return method.getName().equals("list") && result instanceof Iterable<?> found
          ? plain((Location) given[0], found)
          : result;
    } catch (InvocationTargetException failed) {
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }

  /// The JDK's own are as they should be.
  private static Iterable<?> plain(Location location, Iterable<?> found) {
    if (location.getName().startsWith("SYSTEM_MODULES")) {
      return found;
    }
    List<Object> plain = new ArrayList<>();
    for (Object each : found) {
      plain.add(
          each instanceof JavaFileObject file && file.getKind() == JavaFileObject.Kind.CLASS
              ? new PlainClass(file)
              : each);
    }
    return plain;
  }

  private static boolean isOfTypes(ClassFileElement element) {
    return element instanceof RuntimeVisibleTypeAnnotationsAttribute
        || element instanceof RuntimeInvisibleTypeAnnotationsAttribute;
  }

  private static final class PlainClass extends ForwardingJavaFileObject<JavaFileObject> {
    private PlainClass(JavaFileObject file) {
      super(file);
    }

    private JavaFileObject itself() {
      return fileObject;
    }

    @Override
    public InputStream openInputStream() throws IOException {
      try (InputStream in = super.openInputStream()) {
        ClassFile classes = ClassFile.of();
        return new ByteArrayInputStream(
            classes.transformClass(classes.parse(in.readAllBytes()), PLAIN));
      }
    }
  }
}
