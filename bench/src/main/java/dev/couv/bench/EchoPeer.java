// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The servers that are compared. The first is what the others are measured by.
enum EchoPeer {
  C_LIBUV("c-libuv") {
    @Override
    List<String> command(Path bin) {
      return List.of(bin.resolve("echo_server").toString());
    }
  },
  COUV("couv") {
    @Override
    List<String> command(Path bin) {
      return java(
          CouvEcho.class,
          "--enable-native-access=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED");
    }
  },
  COUV_HAND_OVER("couv-hand-over") {
    @Override
    List<String> command(Path bin) {
      return java(CouvEcho.class, "--enable-native-access=ALL-UNNAMED", "-Dcouv.engine=hand-over");
    }
  },
  JDK_VIRTUAL_THREADS("jdk-virtual-threads") {
    @Override
    List<String> command(Path bin) {
      return java(VirtualThreadEcho.class);
    }
  };

  private final String label;

  EchoPeer(String label) {
    this.label = label;
  }

  static EchoPeer parse(String label) {
    return Stream.of(values())
        .filter(peer -> peer.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such server: " + label));
  }

  String label() {
    return label;
  }

  abstract List<String> command(Path bin);

  private static List<String> java(Class<?> main, String... flags) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    return Stream.of(Stream.of(java), Stream.of(flags), Stream.of("-cp", classPath, main.getName()))
        .flatMap(part -> part)
        .toList();
  }
}
