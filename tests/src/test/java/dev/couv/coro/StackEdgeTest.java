// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A `StackOverflowError` out of any depth of any function of the runtime: the coroutine that catches it
/// goes on, and so does everything else. In a JVM of its own, because what is broken would not end.
@Tag("jvm")
class StackEdgeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep pause spawn",
        "timeout scope resume",
        "udp listen connect",
        "chan turns meet promise mutex"
      })
  void endOfTheStackStopsACallAsAWhole(String calls) throws Exception {
    List<String> expected = new ArrayList<>();
    for (String call : calls.split(" ")) {
      expected.add(
          call
              + ": overflows true, returns true, coroutines +0, handles +0, closing 0, requests 0,"
              + " timers +0, descriptors +0");
    }
    expected.add("ended");

    List<String> command = new ArrayList<>(FreshJvm.command(StackEdgeProgram.class, "-Xss512k"));
    command.addAll(List.of(calls.split(" ")));

    assertEquals(String.join("\n", expected), String.join("\n", FreshJvm.run(command)));
  }
}
