// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The three state machines, exhaustively: what is legal leads where the drawings say, and
/// everything else is an error that names state and transition.
final class IllegalTransitionsTest {
  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("transitions")
  <S extends Enum<S>> void everyOtherStateRefuses(
      String transition, Class<S> states, UnaryOperator<S> move, Map<S, S> legal) {
    for (S state : states.getEnumConstants()) {
      S next = legal.get(state);
      if (next == null) {
        AssertionError refused = assertThrows(AssertionError.class, () -> move.apply(state));
        assertEquals(transition + " while " + state, refused.getMessage());
      } else {
        assertEquals(next, move.apply(state));
      }
    }
  }

  @Test
  void everyTransitionOfEveryMachineIsListed() {
    Stream.of(RequestState.class, CoroutineHandleState.class, ObjectHandleState.class)
        .forEach(
            states ->
                assertEquals(
                    Stream.of(states.getDeclaredMethods())
                        .filter(method -> method.getReturnType() == states)
                        .filter(method -> method.getParameterCount() == 0)
                        .count(),
                    transitions()
                        .map(Arguments::get)
                        .filter(transition -> transition[1] == states)
                        .count(),
                    states.getSimpleName()));
  }

  @Test
  void onlyWhatIsNotClosedIsOpen() {
    Set<ObjectHandleState> open =
        Set.of(ObjectHandleState.READY, ObjectHandleState.AWAITING, ObjectHandleState.COMPLETED);

    for (ObjectHandleState state : ObjectHandleState.values()) {
      assertEquals(open.contains(state), state.isOpen());
    }
  }

  static Stream<Arguments> transitions() {
    return Stream.of(requests(), coroutineHandles(), objectHandles()).flatMap(List::stream);
  }

  private static List<Arguments> requests() {
    var freed = RequestState.FREED;
    var awaiting = RequestState.AWAITING;
    var completed = RequestState.COMPLETED;
    var canceled = RequestState.CANCELED;
    return List.of(
        request("start", RequestState::start, Map.of(freed, awaiting, completed, awaiting)),
        request("complete", RequestState::complete, Map.of(awaiting, completed)),
        request("cancel", RequestState::cancel, Map.of(awaiting, canceled)),
        request("drain", RequestState::drain, Map.of(canceled, freed)),
        request("leave", RequestState::leave, Map.of(completed, freed)));
  }

  private static List<Arguments> coroutineHandles() {
    var freed = CoroutineHandleState.FREED;
    var awaiting = CoroutineHandleState.AWAITING;
    var completed = CoroutineHandleState.COMPLETED;
    var closing = CoroutineHandleState.CLOSING;
    return List.of(
        handle("start", CoroutineHandleState::start, Map.of(freed, awaiting)),
        handle("complete", CoroutineHandleState::complete, Map.of(awaiting, completed)),
        handle("repeat", CoroutineHandleState::repeat, Map.of(completed, awaiting)),
        handle("stay armed", CoroutineHandleState::stayArmed, Map.of(awaiting, completed)),
        handle("close", CoroutineHandleState::close, Map.of(awaiting, closing, completed, closing)),
        handle("closed", CoroutineHandleState::closed, Map.of(closing, freed)));
  }

  private static List<Arguments> objectHandles() {
    var ready = ObjectHandleState.READY;
    var awaiting = ObjectHandleState.AWAITING;
    var completed = ObjectHandleState.COMPLETED;
    var closing = ObjectHandleState.CLOSING;
    var freed = ObjectHandleState.FREED;
    return List.of(
        object("open", ObjectHandleState::open, Map.of(freed, ready)),
        object("await", ObjectHandleState::await, Map.of(ready, awaiting, completed, awaiting)),
        object("complete", ObjectHandleState::complete, Map.of(awaiting, completed)),
        object("stop", ObjectHandleState::stop, Map.of(awaiting, ready, completed, ready)),
        object(
            "close",
            ObjectHandleState::close,
            Map.of(ready, closing, awaiting, closing, completed, closing)),
        object("closed", ObjectHandleState::closed, Map.of(closing, freed)));
  }

  private static Arguments request(
      String transition, UnaryOperator<RequestState> move, Map<RequestState, RequestState> legal) {
    return arguments(transition, RequestState.class, move, legal);
  }

  private static Arguments handle(
      String transition,
      UnaryOperator<CoroutineHandleState> move,
      Map<CoroutineHandleState, CoroutineHandleState> legal) {
    return arguments(transition, CoroutineHandleState.class, move, legal);
  }

  private static Arguments object(
      String transition,
      UnaryOperator<ObjectHandleState> move,
      Map<ObjectHandleState, ObjectHandleState> legal) {
    return arguments(transition, ObjectHandleState.class, move, legal);
  }
}
