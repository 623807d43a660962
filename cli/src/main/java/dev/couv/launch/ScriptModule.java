// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Loop;
import dev.couv.resilience.Retry;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

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

  /// What only scripts that mention it are given, with what it needs itself: it would cost the others their start.
  private static final String HTTP = "dev.couv.http";

  /// Their names, as options have them.
  static String names() {
    String always =
        Arrays.stream(values()).map(each -> each.title).collect(Collectors.joining(","));
    return hasHttp() ? always + "," + HTTP : always;
  }

  /// What a script is compiled against.
  static List<Path> places() {
    List<Path> places = new ArrayList<>();
    for (ScriptModule each : values()) {
      places.add(origin(each.member));
    }
    if (hasHttp()) {
      ModuleLayer.boot().configuration().modules().stream()
          .filter(module -> module.name().equals(HTTP) || module.name().startsWith("io.netty."))
          .flatMap(module -> module.reference().location().stream())
          .map(Path::of)
          .forEach(places::add);
    }
    return places;
  }

  private static boolean hasHttp() {
    return ModuleLayer.boot().findModule(HTTP).isPresent();
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
