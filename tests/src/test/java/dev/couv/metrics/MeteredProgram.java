// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import dev.couv.coro.Loop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/// A program with meters, and none of the other library.
final class MeteredProgram {
  private MeteredProgram() {}

  public static void main(String[] arguments) throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Loop.run(
        () -> {
          Meters.ofLoop("main", Loop.current()).bindTo(registry);
          System.out.println(registry.get("couv.loop.coroutines").gauge().value());
        });
  }
}
