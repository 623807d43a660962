// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Loop;
import dev.couv.resilience.Retry;
import java.net.URISyntaxException;
import java.nio.file.Path;
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

  /// Their names, as options have them.
  static String names() {
    return Arrays.stream(values()).map(each -> each.title).collect(Collectors.joining(","));
  }

  /// What a script is compiled against.
  static List<Path> places() {
    return Arrays.stream(values()).map(each -> origin(each.member)).toList();
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
