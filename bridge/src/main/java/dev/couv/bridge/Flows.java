// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import dev.couv.coro.Loop;
import dev.couv.sync.Chan;
import java.util.Objects;
import java.util.concurrent.Flow;

/// [Flow] and coroutines: a loop of straight-line code as a publisher, and a publisher as something to iterate over.
///
/// ```java
/// Flow.Publisher<Integer> numbers = Flows.publisher(Loop.current(), out -> {
///   for (int i = 0; i < 3; i++) {
///     out.send(i); // waits until the subscriber asks for more
///   }
/// });
/// try (FlowSource<Integer> source = Flows.subscribe(numbers, 16)) {
///   for (int number : source) { … }
/// }
/// ```
public final class Flows {
  private Flows() {}

  /// What a publisher does for one subscriber, in a coroutine of its own.
  ///
  /// @param <T> what is published
  @FunctionalInterface
  public interface Emitting<T> {
    /// Sends what there is; the end of it is the end of what the subscriber gets, and what it throws the failure.
    void emit(Emitter<T> out) throws Exception;
  }

  /// Where a publisher's coroutine sends to.
  ///
  /// @param <T> what is published
  public interface Emitter<T> {
    /// Await function: gives the subscriber another, when it has asked for one.
    void send(T value);

    /// Await function: waits until the subscriber has asked for one, so that [#send] does not wait. For those who would lose
    /// what they have taken when the subscriber leaves.
    void ready();
  }

  /// A publisher that runs `emitting` for each subscriber, in a coroutine of the loop, which is cancelled when the subscriber
  /// has had enough. Subscribers are called in that coroutine, so they must not block.
  public static <T> Flow.Publisher<T> publisher(Loop loop, Emitting<T> emitting) {
    Objects.requireNonNull(loop, "loop");
    Objects.requireNonNull(emitting, "emitting");
    return subscriber -> new Emission<>(loop, emitting, subscriber).begin();
  }

  /// A publisher of what a channel holds: its subscribers share the values. None is taken before a subscriber has asked for
  /// it, so that none is lost with one that leaves; so the end of the channel is told to who asks for more.
  public static <T> Flow.Publisher<T> publisher(Loop loop, Chan<? extends T> channel) {
    Objects.requireNonNull(channel, "channel");
    return publisher(
        loop,
        out -> {
          out.ready();
          for (T value : channel) {
            out.send(value);
            out.ready();
          }
        });
  }

  /// A publisher of what an iteration yields, which each subscriber has for itself.
  public static <T> Flow.Publisher<T> publisher(Loop loop, Iterable<? extends T> values) {
    Objects.requireNonNull(values, "values");
    return publisher(
        loop,
        out -> {
          for (T value : values) {
            out.send(value);
          }
        });
  }

  /// Subscribes, and has up to `ahead` values sent before they are taken.
  ///
  /// @throws IllegalArgumentException if that is less than one
  public static <T> FlowSource<T> subscribe(Flow.Publisher<T> publisher, int ahead) {
    Objects.requireNonNull(publisher, "publisher");
    FlowSource<T> source = new FlowSource<>(ahead);
    publisher.subscribe(source.inlet());
    return source;
  }
}
