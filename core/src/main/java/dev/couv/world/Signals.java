// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The signals of a world, by their POSIX names without `SIG`. Those that are caught may be caught by several at
/// once, in any loop: each is told.
public interface Signals {
  /// The number of a signal; 0 if there is none of that name. Any thread.
  int number(String name);

  /// The name of the signal that has that number. Any thread.
  ///
  /// @throws IllegalArgumentException if there is none
  String name(int number);

  /// Why no program may catch it; null if it may.
  @Nullable String refusal(String name);

  /// Sends a signal to a process. Any thread.
  void send(long pid, String name) throws IOException;

  /// Catches all of them from now on, or none. The receiver is told on the loop's thread. Returns what lets go of them,
  /// and does nothing the second time.
  Runnable open(EventLoop loop, Set<String> names, Consumer<String> receiver) throws IOException;

  /// A wait for the first of them. They stay caught until the coroutine turns to something else, so that none is
  /// lost between two equal waits.
  Request<String> await(EventLoop loop, Set<String> names);

  /// Tells the listener of each such signal from now on, on any thread. False if it cannot be had: nothing owes an
  /// [#unsubscribe] then. Any thread.
  boolean subscribe(String name, Runnable listener);

  void unsubscribe(String name, Runnable listener);
}
