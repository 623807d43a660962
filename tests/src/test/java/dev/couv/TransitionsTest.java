// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
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

  /// But where an object is made, its state is not a constant that somebody has chosen: it is what a transition says.
  @Test
  void noStateIsAssignedAsAConstant() throws IOException {
    Set<ClassDesc> states = new HashSet<>();
    for (ClassModel model : CoreClasses.all()) {
      if (hasTransitions(model)) {
        states.add(model.thisClass().asSymbol());
      }
    }

    Set<String> raw = new TreeSet<>();
    for (ClassModel model : CoreClasses.all()) {
      for (MethodModel method : model.methods()) {
        if (!method.methodName().equalsString("<init>") && assigns(method, states)) {
          raw.add(model.thisClass().asInternalName() + "." + method.methodName());
        }
      }
    }
    assertEquals(Set.of(), raw);
  }

  @Test
  void aPlantedAssignmentIsFound() {
    ClassDesc state = ClassDesc.of("dev.couv.planted.State");
    ClassDesc owner = ClassDesc.of("dev.couv.planted.Owner");
    byte[] planted =
        ClassFile.of()
            .build(
                owner,
                type ->
                    type.withMethodBody(
                        "close",
                        MethodTypeDesc.of(ConstantDescs.CD_void),
                        0,
                        code ->
                            code.aload(0)
                                .getstatic(state, "CLOSED", state)
                                .putfield(owner, "state", state)
                                .return_()));

    assertTrue(assigns(ClassFile.of().parse(planted).methods().getFirst(), Set.of(state)));
  }

  /// Whether it puts a constant of these enums into a field.
  private static boolean assigns(MethodModel method, Set<ClassDesc> states) {
    CodeElement before = null;
    for (CodeElement each : method.code().map(CodeModel::elementList).orElse(List.of())) {
      if (each instanceof FieldInstruction put
          && put.opcode() == Opcode.PUTFIELD
          && states.contains(put.typeSymbol())
          && before instanceof FieldInstruction got
          && got.opcode() == Opcode.GETSTATIC) {
        return true;
      }
      if (each instanceof Instruction) {
        before = each;
      }
    }
    return false;
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
