// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Loop;
import dev.couv.resilience.Retry;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The modules that a script can import, found where this process has them from.
enum ScriptModule {
  CORE("dev.couv", Loop.class),
  RESILIENCE("dev.couv.resilience", Retry.class);

  private final String title;
  private final Class<?> member;

  ScriptModule(String title, Class<?> member) {
    this.title = title;
    this.member = member;
  }

  /// What only scripts that mention it are given, with what it needs itself: it would cost the
  /// others their start.
  private static final Map<String, List<String>> MORE =
      Map.of(
          "dev.couv.bridge", List.of(),
          "dev.couv.http", List.of("io.netty."),
          "dev.couv.cluster",
              List.of("io.nats.", "tools.jackson.", "com.fasterxml.jackson.", "org.bouncycastle."));

  /// The names of those that only scripts are given that mention them; `./couv` has the same list.
  static Set<String> optional() {
    return MORE.keySet();
  }

  /// Their names, as options have them.
  static String names() {
    return Stream.concat(Arrays.stream(values()).map(each -> each.title), more())
        .collect(Collectors.joining(","));
  }

  /// Those that this process was given.
  private static Stream<String> more() {
    return optional().stream()
        .filter(each -> ModuleLayer.boot().findModule(each).isPresent())
        .sorted();
  }

  /// What a compiler needs to know of: the modules, and the annotations in their signatures. Without those javac loses
  /// its message where it would show such a signature, takes the file for correct, and breaks down further on.
  static List<Path> compilePath() {
    List<Path> path = new ArrayList<>(places());
    path.add(origin(Nullable.class));
    return path;
  }

  /// What a script is compiled against.
  static List<Path> places() {
    List<Path> places = new ArrayList<>();
    for (ScriptModule each : values()) {
      places.add(origin(each.member));
    }
    more()
        .forEach(
            each ->
                ModuleLayer.boot().configuration().modules().stream()
                    .filter(module -> isOf(module.name(), each))
                    .flatMap(module -> module.reference().location().stream())
                    .map(Path::of)
                    .forEach(places::add));
    return places;
  }

  private static boolean isOf(String module, String more) {
    return module.equals(more)
        || MORE.getOrDefault(more, List.of()).stream().anyMatch(module::startsWith);
  }

  /// Where this process has a class from.
  static Path origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
