// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.util.List;

/// The two engines as `tests/pom.xml` has them: each is one run of the suite.
enum TestEngine {
  LOOP_SCHEDULED("loop-scheduled", "hand-over-engine", List.of()),
  /// What has no engine, and what starts programs with the flags of `./couv`, runs on the other only.
  HAND_OVER("hand-over", "loop-scheduled-engine", List.of("dev.couv.uv.", "dev.couv.launch."));

  private final String name;
  private final String notMine;
  private final List<String> packagesOfTheOther;

  TestEngine(String name, String notMine, List<String> packagesOfTheOther) {
    this.name = name;
    this.notMine = notMine;
    this.packagesOfTheOther = packagesOfTheOther;
  }

  /// Whether the class has tests that are meant for this engine.
  boolean runs(TestClass type) {
    return type.hasWithout(notMine)
        && packagesOfTheOther.stream().noneMatch(type.name()::startsWith);
  }

  @Override
  public String toString() {
    return name;
  }
}
