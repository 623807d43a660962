// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.signal.Signal;
import dev.couv.stream.ByteStream;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvProcess;
import dev.couv.wire.NativeStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A process that was started: an event that happens when it ends. `await` gives its [Exit], to
/// everybody, also later.
///
/// A child that nobody awaits does not keep the loop running. [#close] closes the pipes to it and, if it
/// still runs, kills it, unless it is detached; without that it goes on when the loop has ended.
public final class Child extends Event<Exit> {
  private static final int ESRCH = UvErrors.code("ESRCH");

  private final EventLoop loop;
  private final Command command;
  private Map<Integer, ByteStream> streams = Map.of();
  private List<NativeStream> lent = List.of();
  private @Nullable ExitWatch watch;
  private long pid;

  /// Where it is in its life; closing does not end it at once.
  private State state = State.RUNNING;

  /// ```
  ///   RUNNING ─── close, kills ───▶ DYING
  ///      │                            │
  ///      ├────────── ended ───────────┴──▶ OVER
  ///      └── ended, and leaves a group ─▶ LEADERLESS ── the group has ended ──▶ OVER
  /// ```
  private enum State {
    RUNNING,
    /// Killed and closed: the loop waits until the system has let go of it.
    DYING,
    /// It has ended, and others of its group go on. As long as they do, the system gives the number to nobody
    /// else.
    LEADERLESS,
    OVER
  }

  Child(EventLoop loop, Command command) {
    this.loop = loop;
    this.command = command;
  }

  void started(
      ExitWatch newWatch, Map<Integer, ByteStream> newStreams, List<NativeStream> newLent) {
    watch = newWatch;
    pid = newWatch.pid();
    streams = newStreams;
    lent = newLent;
    if (!isRunning()) { // it ended while whoever starts it was held up
      giveBack();
    }
  }

  /// Its number in the system.
  public long pid() {
    return pid;
  }

  /// Whether it has not ended yet, as far as this loop has heard.
  public boolean isRunning() {
    return state == State.RUNNING || state == State.DYING;
  }

  /// The pipe to its input.
  ///
  /// @throws IllegalStateException if that is not a pipe
  public ByteStream stdin() {
    return stream(0);
  }

  /// The pipe from its output.
  ///
  /// @throws IllegalStateException if that is not a pipe
  public ByteStream stdout() {
    return stream(1);
  }

  /// The pipe from its error output.
  ///
  /// @throws IllegalStateException if that is not a pipe
  public ByteStream stderr() {
    return stream(2);
  }

  /// The pipe to one of its descriptors.
  ///
  /// @throws IllegalStateException if that is not a pipe
  public ByteStream stream(int descriptor) {
    ByteStream stream = streams.get(descriptor);
    if (stream == null) {
      throw new IllegalStateException(
          "descriptor " + descriptor + " of " + command + " is not a pipe to this process");
    }
    return stream;
  }

  /// Sends it a signal. False if it has ended already.
  public boolean signal(Signal signal) throws IOException {
    loop.checkThread(this);
    if (watch == null || !isRunning()) {
      return false;
    }
    return sent(watch.signal(signal.number()), signal);
  }

  /// Ends it for certain. False if it has ended already.
  public boolean kill() throws IOException {
    return signal(Signal.KILL);
  }

  /// Sends a signal to it and to all it has started, of a detached child. False if none is left.
  ///
  /// @throws IllegalStateException if it is not detached: then it has no group of its own
  public boolean signalGroup(Signal signal) throws IOException {
    loop.checkThread(this);
    if (!command.isDetached()) {
      throw new IllegalStateException(this + " is not detached: it has no group of its own");
    }
    if (state == State.LEADERLESS && exists((int) pid)) {
      state = State.OVER; // the number is another's by now
    }
    return state != State.OVER && sent(UvProcess.uv_kill((int) -pid, signal.number()), signal);
  }

  /// Whether there is a process of that number, or a group if it is negative.
  private static boolean exists(int number) {
    return UvProcess.uv_kill(number, 0) != ESRCH;
  }

  /// Ends it and all it has started, of a detached child. False if none is left.
  ///
  /// @throws IllegalStateException if it is not detached: then it has no group of its own
  public boolean killGroup() throws IOException {
    return signalGroup(Signal.KILL);
  }

  private boolean sent(int code, Signal signal) throws IOException {
    if (code == ESRCH) {
      return false;
    }
    Failures.check(code, "send " + signal, this);
    return true;
  }

  /// Waits for its end, as `await`, where only failures of the world are declared.
  Exit exit() throws IOException {
    try {
      return await();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// It has ended. On the loop's thread.
  void ended(Exit exit) {
    over();
    settleOnLoop(exit, null);
  }

  /// It has ended, and how is not known. On the loop's thread.
  void lost(IOException reason) {
    over();
    settleOnLoop(null, reason);
  }

  private void over() {
    if (state == State.DYING) {
      loop.waitEnded();
    }
    state = leavesGroup() ? State.LEADERLESS : State.OVER;
    giveBack();
  }

  private boolean leavesGroup() {
    return command.isDetached() && pid != 0 && exists((int) -pid);
  }

  private void giveBack() {
    ChildEnds.giveBack(lent);
    lent = List.of();
  }

  @Override
  protected void onStart() {
    loop.waitStarted();
  }

  @Override
  protected void onStop() {
    loop.waitEnded();
  }

  @Override
  protected void onDispose() {
    streams.values().forEach(ByteStream::close);
    if (state == State.RUNNING && watch != null && !command.isDetached() && killed(watch)) {
      state = State.DYING;
      loop.waitStarted();
    }
  }

  /// False if it may not be killed, as a program that runs for another user: waiting for its end could
  /// last for ever.
  private static boolean killed(ExitWatch running) {
    return running.signal(Signal.KILL.number()) == 0;
  }

  @Override
  public String toString() {
    return command.words().getFirst() + (pid == 0 ? "" : " (process " + pid + ")");
  }
}
