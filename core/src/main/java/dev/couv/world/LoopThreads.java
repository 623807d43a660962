// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// Where the loops of a pool run.
@FunctionalInterface
public interface LoopThreads {
  /// Each on a thread of its own, which does not keep the program alive.
  LoopThreads OWN =
      (name, member) -> Thread.ofPlatform().name(name).daemon().start(member::liveOnThisThread);

  /// A loop of a pool. All on one thread, outside of coroutines: `begin`, turns until one returns false, `end`.
  interface Member {
    /// Its whole life, on a thread that it has for itself.
    void liveOnThisThread();

    void begin();

    /// Runs once what is ready, and does not wait. False if it is to end.
    boolean turn();

    void end();

    /// In a coroutine of the loop.
    void post(Runnable task);
  }

  /// Runs it from now on. If this throws, nothing runs.
  void start(String name, Member member);
}
