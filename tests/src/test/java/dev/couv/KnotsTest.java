// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No package is a knot: of the classes of one package, nested ones counted as part of their own, no more than a
/// handful refer to each other in a circle. Read from the class files.
class KnotsTest {
  private static final int HANDFUL = 5;

  private static final Pattern CLASS = Pattern.compile("dev/couv/([a-z]+)/(\\w+)");

  @Test
  void noPackageIsAKnot() throws IOException {
    Graph graph = Graph.of(CoreClasses.all());

    List<String> tooLarge = new ArrayList<>();
    graph.knots.forEach(
        (name, knot) -> {
          if (knot.size() > HANDFUL) {
            tooLarge.add(graph.describe(name, knot));
          }
        });
    assertEquals(List.of(), tooLarge);
    assertTrue(graph.edges.size() > 200, "only " + graph.edges.size() + " classes were read");
  }

  @Test
  void aPlantedKnotIsFoundAndItsEdgesAreNamed() {
    List<ClassModel> planted = new ArrayList<>();
    Stream.of("A B", "B C", "C$Inner D", "C", "D A", "E A", "F")
        .forEach(each -> planted.add(plant(each)));

    Graph graph = Graph.of(planted);

    assertEquals(
        """
        planted: 4 classes in a circle
          A -> B
          B -> C
          C -> D
          D -> A\
        """,
        graph.describe("planted", graph.knots.get("planted")));
  }

  /// The first has a field of the type of each of the others.
  private static ClassModel plant(String names) {
    List<ClassDesc> types =
        Stream.of(names.split(" ")).map(each -> ClassDesc.of("dev.couv.planted." + each)).toList();
    return ClassFile.of()
        .parse(
            ClassFile.of()
                .build(
                    types.getFirst(),
                    type -> {
                      type.withSuperclass(ConstantDescs.CD_Object);
                      for (ClassDesc other : types.subList(1, types.size())) {
                        type.withField("to" + other.displayName(), other, 0);
                      }
                    }));
  }

  /// Who refers to whom inside of a package. A class is `package/Name`.
  private static final class Graph {
    final Map<String, SortedSet<String>> edges = new TreeMap<>();

    /// The largest circle of each package.
    final Map<String, SortedSet<String>> knots = new TreeMap<>();

    static Graph of(List<ClassModel> classes) {
      Graph graph = new Graph();
      classes.forEach(graph::read);
      for (SortedSet<String> circle : new Circles(graph.edges).found) {
        graph.knots.merge(
            circle.first().split("/")[0],
            circle,
            (one, other) ->
                Stream.of(one, other).max(Comparator.comparingInt(SortedSet::size)).orElseThrow());
      }
      return graph;
    }

    private void read(ClassModel model) {
      String from = top(match(model.thisClass().asInternalName()));
      SortedSet<String> to = edges.computeIfAbsent(from, _ -> new TreeSet<>());
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof Utf8Entry text) {
          CLASS.matcher(text.stringValue()).results().map(Graph::top).forEach(to::add);
        }
      }
      to.remove(from);
      to.removeIf(each -> !each.split("/")[0].equals(from.split("/")[0]));
    }

    private static MatchResult match(String name) {
      return CLASS.matcher(name).results().findFirst().orElseThrow();
    }

    private static String top(MatchResult match) {
      return match.group(1) + "/" + match.group(2);
    }

    String describe(String name, SortedSet<String> knot) {
      return name
          + ": "
          + knot.size()
          + " classes in a circle"
          + knot.stream().map(each -> line(each, knot)).collect(Collectors.joining());
    }

    private String line(String from, SortedSet<String> knot) {
      return edges.get(from).stream()
          .filter(knot::contains)
          .map(each -> each.split("/")[1])
          .collect(Collectors.joining(" ", "\n  " + from.split("/")[1] + " -> ", ""));
    }
  }

  /// Tarjan's: each class is in one circle, perhaps alone.
  private static final class Circles {
    final List<SortedSet<String>> found = new ArrayList<>();

    private final Map<String, SortedSet<String>> edges;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();

    Circles(Map<String, SortedSet<String>> edges) {
      this.edges = edges;
      edges.keySet().stream().filter(each -> !numbers.containsKey(each)).forEach(this::visit);
    }

    private void visit(String node) {
      numbers.put(node, numbers.size());
      lowest.put(node, numbers.get(node));
      open.push(node);
      for (String next : edges.get(node)) {
        if (!edges.containsKey(next)) {
          continue; // no class, but a word that looks like one
        }
        if (!numbers.containsKey(next)) {
          visit(next);
          lowest.merge(node, lowest.get(next), Math::min);
        } else if (open.contains(next)) {
          lowest.merge(node, numbers.get(next), Math::min);
        }
      }
      if (lowest.get(node).equals(numbers.get(node))) {
        SortedSet<String> circle = new TreeSet<>();
        String each;
        do {
          each = open.pop();
          circle.add(each);
        } while (!each.equals(node));
        found.add(circle);
      }
    }
  }
}
