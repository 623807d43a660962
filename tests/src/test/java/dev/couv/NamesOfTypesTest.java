// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.classfile.ClassModel;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A name of a type of the core stands for one thing.
@Tag("loop-scheduled-engine")
final class NamesOfTypesTest {
  /// Nested in one type and beside another, and the same idea in both.
  private static final Set<String> ONE_IDEA =
      Set.of(
          "CoroutineEnd", // an event of the recorder, about what the other awaits
          "Handler", // the one of users, and the one that knows less
          "Hold", // closed to give something back: of an event, of a lock
          "Member", // of a line, of a wait for several, of those who watch directories
          "Mode"); // of a run of the loop; of a terminal, where the name is never read alone

  @Test
  void noTwoTypesHaveOneName() throws Exception {
    Map<String, Set<String>> top = new TreeMap<>();
    Map<String, Set<String>> nested = new TreeMap<>();
    for (ClassModel type : CoreClasses.all()) {
      String name = type.thisClass().asInternalName();
      String simple = name.substring(name.lastIndexOf('/') + 1);
      String inner = simple.substring(simple.lastIndexOf('$') + 1);
      if (simple.equals(inner)) {
        top.computeIfAbsent(simple, _ -> new TreeSet<>()).add(name);
      } else if (!Character.isDigit(inner.charAt(0))) {
        nested.computeIfAbsent(inner, _ -> new TreeSet<>()).add(name);
      }
    }
    Set<String> ambiguous = new TreeSet<>();
    top.forEach(
        (name, types) -> {
          if (types.size() > 1 || (nested.containsKey(name) && !ONE_IDEA.contains(name))) {
            ambiguous.add(types + " " + nested.getOrDefault(name, Set.of()));
          }
        });

    assertEquals(Set.of(), ambiguous);
  }
}
