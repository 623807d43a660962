// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import org.jspecify.annotations.Nullable;

/// The thread that a loop belongs to: the one that ran it first.
public final class LoopThread {
  private final EventLoop events;
  private final Rota rota;
  private volatile @Nullable Thread owner;

  /// Whether somebody interrupted it during the run: told when that ends. Kept here, because the JDK clears the flag of a
  /// thread that carries virtual ones. Itself only.
  private boolean interrupted;

  LoopThread(EventLoop events, Rota rota) {
    this.events = events;
    this.rota = rota;
  }

  /// The calling thread begins a run.
  void enter() {
    if (owner == null) {
      belongTo(Thread.currentThread());
    }
    interrupted = Thread.interrupted();
  }

  private void belongTo(Thread thread) {
    owner = thread;
    events.thread(thread);
  }

  /// Takes note of an interruption.
  void look() {
    interrupted |= Thread.interrupted();
  }

  void leave() {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether a thread has run the loop before. Any thread.
  boolean isKnown() {
    return owner != null;
  }

  /// Whether it is the calling thread, or might be: nobody has run the loop yet. Any thread.
  boolean mayBeHere() {
    Thread bound = owner;
    return bound == null || bound == Thread.currentThread();
  }

  /// Throws unless the caller is the thread that ran it first, or nobody has. Any thread.
  public void check() {
    Thread bound = owner;
    if (bound != null && bound != Thread.currentThread()) {
      throw new IllegalStateException(
          "the loop belongs to the thread that ran it first, " + bound.getName());
    }
  }

  /// Makes the caller the loop's thread, if that has ended: whoever comes then closes it. Any thread.
  public synchronized void inherit() {
    Thread bound = owner;
    Thread heir = Thread.currentThread();
    if (bound != null && !bound.isAlive() && !heir.isVirtual()) {
      belongTo(heir);
    }
  }

  /// Where it is: in the strand whose turn it is, or by itself. Any thread.
  public String stack() {
    Fiber running = rota.current();
    Thread within = running == null ? null : running.thread;
    String frames = within == null ? "" : TurnWatch.frames(within);
    Thread thread = owner;
    if (running != null && !frames.isEmpty()) {
      return "  " + running.name() + "\n" + frames;
    }
    return thread == null ? "" : TurnWatch.frames(thread);
  }
}
