// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The transition of a state cannot be forgotten: `state = state.x()`. Every enum with a method that returns one of its
/// own says so by `@CheckReturnValue`, and Error Prone refuses a call whose result nobody takes.
class TransitionsTest {
  private static final ClassDesc MUST_USE = ClassDesc.of("dev.couv.loop.CheckReturnValue");

  @Test
  void everyEnumWithTransitionsIsMustUse() throws IOException {
    Set<String> careless = new TreeSet<>();
    int states = 0;
    for (ClassModel model : CoreClasses.all()) {
      if (hasTransitions(model)) {
        states++;
        if (!isMustUse(model)) {
          careless.add(model.thisClass().asInternalName());
        }
      }
    }

    assertEquals(Set.of(), careless);
    assertTrue(states >= 5, "only " + states + " enums with transitions were found");
  }

  @Test
  void aPlantedCarelessEnumIsFound() {
    ClassDesc state = ClassDesc.of("dev.couv.planted.State");
    byte[] planted =
        ClassFile.of()
            .build(
                state,
                type ->
                    type.withSuperclass(ClassDesc.of("java.lang.Enum"))
                        .withFlags(ClassFile.ACC_ENUM | ClassFile.ACC_FINAL)
                        .withMethodBody(
                            "close", MethodTypeDesc.of(state), 0, code -> code.aload(0).areturn()));
    ClassModel model = ClassFile.of().parse(planted);

    assertTrue(hasTransitions(model));
    assertTrue(!isMustUse(model));
  }

  static boolean hasTransitions(ClassModel model) {
    return isEnum(model) && model.methods().stream().anyMatch(each -> isTransition(model, each));
  }

  private static boolean isEnum(ClassModel model) {
    return (model.flags().flagsMask() & ClassFile.ACC_ENUM) != 0;
  }

  private static boolean isTransition(ClassModel model, MethodModel method) {
    int flags = method.flags().flagsMask();
    boolean isOwn = (flags & (ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC)) == 0;
    return isOwn && method.methodTypeSymbol().returnType().equals(model.thisClass().asSymbol());
  }

  private static boolean isMustUse(ClassModel model) {
    return model
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .map(all -> all.annotations().stream().map(each -> each.classSymbol()).toList())
        .orElse(List.of())
        .contains(MUST_USE);
  }
}
