// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The sequences of transitions that CoUtil's own tests walk, and those it lists and leaves out, with
/// real requests and handles. A Y2 stands where the notes close a handle as soon as its wait is left.
final class OperationSequencesTest {
  /// For all requests and handles. What may be repeated is there twice.
  private static final List<String> COMMON =
      List.of(
          "O1 C1 Y1",
          "O2 C5 Y2 F1",
          "O1 C1 O3 C1 O3 C1 Y1",
          "O2 C5 O6 C5 O6 C5 Y2 F1",
          "O2 C5 Y2 O10 R6 Y2 O10 R6 Y2 F1",
          "O2 C5 Y2 O10 F2 C1 Y1",
          "O2 C5 Y2 O10 F3 C5 Y2 F1",
          "O1 C1 O4 R4 Y2 F1",
          "O2 C5 O7 R6 Y2 F1",
          "O2 C5 O7 R6 Y2 O10 R6 Y2 O10 R6 Y2 F1",
          "O2 C5 O7 F2 C1 Y1",
          "O1 C1 O4 C5 Y2 F1",
          "O2 C5 O7 F3 C5 Y2 F1",
          "O1 R1 C2",
          "O2 R4 Y2 F1",
          "O1 R1 O5 R2 O5 R2 Y2 C2",
          "O2 R4 Y2 O10 R6 Y2 O10 R6 Y2 F1",
          "O1 R1 O5 C3 C1 Y1",
          "O2 R4 Y2 O10 F2 C1 Y1",
          "O1 R1 O5 C4 C5 Y2 F1",
          "O2 R4 Y2 O10 F3 C5 Y2 F1");

  /// Not in the notes: the handle of a wait that was left is used again, or makes room.
  private static final List<String> LEFT_ARMED =
      List.of(
          "O2 R4 O6 C5 Y2 F1",
          "O2 R4 O6 R4 O6 R4 Y2 F1",
          "O2 C5 O6 R4 O6 C5 Y2 F1",
          "O2 R4 O7 R6 O7 R6 Y2 F1",
          "O2 R4 O7 F2 C1 Y1",
          "O2 R4 O7 F3 C5 Y2 F1");

  /// For a handle whose callback cannot be called off.
  private static final List<String> REFUSED_CANCEL =
      List.of(
          "O2 R3 C6 Y2 F1",
          "O2 R3 Y2 C7 F1",
          "O2 R3 C6 Y2 O10 R6 Y2 O10 R6 Y2 F1",
          "O2 R3 C6 Y2 O10 F2 C1 Y1",
          "O2 R3 C6 Y2 O10 F3 C5 Y2 F1",
          "O2 R3 O9 R5 O9 R5 Y2 F1",
          "O2 R3 O9 C7 R6 Y2 F1",
          "O2 R3 O9 C7 R6 Y2 O10 R6 Y2 F1",
          "O2 R3 O9 C7 F2 C1 Y1",
          "O2 R3 O9 C7 F3 C5 Y2 F1",
          "O2 R3 O8 C5 Y2 F1",
          "O2 R3 O8 C5 O6 C5 Y2 F1",
          "O2 R3 O8 R4 C6 Y2 F1",
          "O2 R3 O8 R3 C6 Y2 F1",
          "O2 R3 C6 O8 C5 Y2 F1");

  @RegisterExtension final TestLoop test = new TestLoop();

  @ParameterizedTest(name = "{0} with {1} and {2}")
  @MethodSource
  void everyStepLeadsToItsStateAndTheWalkEndsClean(
      String sequence, RequestKind request, HandleKind handle) {
    OperationWalk walk = new OperationWalk(test, request, handle);

    walk.take(new ArrayDeque<>(List.of(sequence.split(" "))));
  }

  static Stream<Arguments> everyStepLeadsToItsStateAndTheWalkEndsClean() {
    return Stream.concat(
        Stream.concat(COMMON.stream(), LEFT_ARMED.stream())
            .flatMap(
                sequence ->
                    Stream.of(
                        Arguments.of(sequence, RequestKind.RANDOM, HandleKind.TIMER),
                        Arguments.of(sequence, RequestKind.LOOKUP, HandleKind.IDLE),
                        Arguments.of(sequence, RequestKind.RANDOM, HandleKind.SIGNAL),
                        Arguments.of(sequence, RequestKind.LOOKUP, HandleKind.ASYNC))),
        REFUSED_CANCEL.stream()
            .flatMap(
                sequence ->
                    Stream.of(RequestKind.values())
                        .map(request -> Arguments.of(sequence, request, HandleKind.ASYNC))));
  }
}
