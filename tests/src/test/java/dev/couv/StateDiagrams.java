// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.lang.classfile.ClassModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The drawings of all states of the core, made by trying every transition in every state.
///
/// A transition is a method of an enum that returns one of its own. One that refuses the state throws an
/// `AssertionError` or an `IllegalStateException`. Arguments that can be tried are booleans and states; a method with others
/// is not drawn, nor is an enum that has no other.
final class StateDiagrams {
  private static final String HEAD =
      """
      # States, drawn

      Every enum of the core whose methods are transitions, drawn by trying each of them in each state. What has no arrow is refused, by an
      `AssertionError` that names both. An argument is named where it makes a difference. What the states mean is in the doc comments of the
      enums; [states.md](states.md) says what the transitions of operations are there for.

      This page is written by `mvn verify -Dtest=StateDiagramsTest -Dcouv.diagrams.write=true`, and `StateDiagramsTest` fails when it is not what the enums say.
      """;

  private StateDiagrams() {}

  /// The page with all of them.
  static List<String> page(List<ClassModel> classes) {
    List<String> page = new ArrayList<>(HEAD.lines().toList());
    classes.stream()
        .filter(TransitionsTest::hasTransitions)
        .map(model -> load(model.thisClass().asInternalName().replace('/', '.')))
        .sorted(Comparator.comparing(Class::getName))
        .forEach(states -> page.addAll(section(states)));
    return page;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> section(Class<?> states) {
    List<String> moves = moves(states);
    if (moves.isEmpty()) {
      return List.of();
    }
    List<String> section = new ArrayList<>();
    section.add("");
    section.add("## " + states.getName().replace("dev.couv.", "").replace('$', '.'));
    section.add("");
    section.add("```mermaid");
    section.add("stateDiagram-v2");
    moves.forEach(move -> section.add("  " + move));
    section.add("```");
    return section;
  }

  /// An arrow for each pair of states, with all that leads from the one to the other.
  static List<String> moves(Class<?> states) {
    Map<String, Set<String>> arrows = new LinkedHashMap<>();
    for (Object from : states.getEnumConstants()) {
      transitions(states)
          .forEach(
              method ->
                  outcomes(method, from)
                      .forEach(
                          (label, to) ->
                              arrows
                                  .computeIfAbsent(
                                      from + " --> " + to, arrow -> new LinkedHashSet<>())
                                  .add(label)));
    }
    return arrows.entrySet().stream()
        .map(arrow -> arrow.getKey() + " : " + String.join(", ", arrow.getValue()))
        .toList();
  }

  private static Stream<Method> transitions(Class<?> states) {
    return Arrays.stream(states.getDeclaredMethods())
        .filter(each -> !Modifier.isStatic(each.getModifiers()) && !each.isSynthetic())
        .filter(each -> each.getReturnType() == states)
        .filter(
            each -> Arrays.stream(each.getParameterTypes()).allMatch(type -> isTried(type, states)))
        .sorted(Comparator.comparing(Method::getName));
  }

  private static boolean isTried(Class<?> type, Class<?> states) {
    return type == boolean.class || type == states;
  }

  /// What the transition leads to from that state, by its name, with arguments if they matter.
  private static Map<String, Object> outcomes(Method method, Object from) {
    Map<String, Object> outcomes = new LinkedHashMap<>();
    for (List<Object> arguments : arguments(method.getParameterTypes(), 0)) {
      Object to = attempt(method, from, arguments);
      String told =
          arguments.stream().map(Objects::toString).collect(Collectors.joining(", ", "(", ")"));
      outcomes.put(method.getName() + told, to == null ? "" : to);
    }
    boolean matters = Set.copyOf(outcomes.values()).size() > 1;
    Map<String, Object> named = new LinkedHashMap<>();
    outcomes.forEach(
        (label, to) -> {
          if (!to.equals("")) {
            named.put(matters ? label : method.getName(), to);
          }
        });
    return named;
  }

  /// Every list of arguments from that parameter on.
  private static List<List<Object>> arguments(Class<?>[] types, int first) {
    if (first == types.length) {
      return List.of(List.of());
    }
    Object[] values =
        types[first] == boolean.class
            ? new Object[] {true, false}
            : types[first].getEnumConstants();
    List<List<Object>> all = new ArrayList<>();
    for (Object value : values) {
      for (List<Object> rest : arguments(types, first + 1)) {
        all.add(Stream.concat(Stream.of(value), rest.stream()).toList());
      }
    }
    return all;
  }

  /// The next state, or null if the transition is refused.
  private static Object attempt(Method method, Object from, List<Object> arguments) {
    method.setAccessible(true);
    try {
      return method.invoke(from, arguments.toArray());
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof AssertionError
          || refused.getCause() instanceof IllegalStateException) {
        return null;
      }
      throw new AssertionError(method + " of " + from, refused.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
