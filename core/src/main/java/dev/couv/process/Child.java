// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.coro.Event;
import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Transition;
import dev.couv.net.LocalStream;
import dev.couv.signal.Signal;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import dev.couv.wire.NativeStream;
import dev.couv.world.ExitWatch;
import dev.couv.world.Launch;
import dev.couv.world.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A process that was started: an event that happens when it ends. [#exit] gives its [Exit], to
/// everybody, also later.
///
/// A child that nobody awaits does not keep the loop running. [#close] closes the pipes to it and, if it
/// still runs, kills it, unless it is detached; without that it goes on when the loop has ended.
public final class Child extends Event<Exit> {
  private static final List<String> NAMES = List.of("stdin", "stdout", "stderr");

  private final EventLoop loop;
  private final Program program;

  /// This side's ends, by the child's descriptor.
  private final Map<Integer, ByteStream> streams = new HashMap<>();

  /// Streams of this side that the child has, too.
  private final List<NativeStream> lent = new ArrayList<>();

  private @Nullable ExitWatch watch;

  /// Where it is in its life; closing does not end it at once.
  private State state = State.RUNNING;

  /// ```
  ///   RUNNING ── close, kills ──▶ DYING
  ///      └────────── ended ─────────┴──▶ OVER
  /// ```
  @CheckReturnValue
  private enum State {
    RUNNING,
    /// Killed and closed: the loop waits until the system has let go of it.
    DYING,
    OVER;

    State die() {
      return Transition.require(this, this == RUNNING, "die", DYING);
    }

    State end() {
      return Transition.require(this, this != OVER, "end", OVER);
    }
  }

  private Child(EventLoop loop, Program program) {
    this.loop = loop;
    this.program = program;
  }

  /// Gives it its descriptors, and starts it. Whatever of that fails, nothing has been started, and nothing is left.
  static Child start(EventLoop loop, Program program, Launch launch, Map<Integer, Stdio> stdio)
      throws IOException {
    Child child = new Child(loop, program);
    try (launch) {
      for (Map.Entry<Integer, Stdio> each : stdio.entrySet()) {
        each.getValue().gift.give(child, launch, each.getKey());
      }
      child.watch = launch.start(child.new End());
      return child;
    } catch (Throwable failed) {
      child.closeStreams();
      child.giveBack();
      throw failed;
    }
  }

  /// A socket where it is not a standard stream.
  void connectPipe(Launch launch, int descriptor) throws IOException {
    if (descriptor >= NAMES.size()) {
      connectSocket(launch, descriptor);
    } else {
      String name = NAMES.get(descriptor) + " of " + program.name();
      streams.put(descriptor, new PipeStream(launch.pipe(descriptor, name)));
    }
  }

  void connectSocket(Launch launch, int descriptor) throws IOException {
    streams.put(descriptor, LocalStream.adopt(launch.socket(descriptor)));
  }

  /// The child has that, too, as programs expect it.
  void lend(NativeStream stream) throws IOException {
    stream.blocking(true);
    lent.add(stream);
  }

  /// The number of the process in the system.
  public long pid() {
    return watch == null ? 0 : watch.pid();
  }

  /// Whether it has not ended yet, as far as this loop has heard.
  public boolean isRunning() {
    return state != State.OVER;
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
          "descriptor %d of %s is not a pipe to this process"
              .formatted(descriptor, String.join(" ", program.words())));
    }
    return stream;
  }

  /// The pipe to one of its standard streams; null if that is none.
  @Nullable ByteStream pipe(int descriptor) {
    return streams.get(descriptor) instanceof PipeStream pipe ? pipe : null;
  }

  /// Sends it a signal. False if it has ended already.
  public boolean signal(Signal signal) throws IOException {
    loop.checkThread(this);
    return watch != null && isRunning() && watch.signal(signal.name());
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
    if (!program.detached()) {
      throw new IllegalStateException(this + " is not detached: it has no group of its own");
    }
    return watch != null && watch.signalGroup(signal.name());
  }

  /// Ends it and all it has started, of a detached child. False if none is left.
  ///
  /// @throws IllegalStateException if it is not detached: then it has no group of its own
  public boolean killGroup() throws IOException {
    return signalGroup(Signal.KILL);
  }

  /// Asks it to end, by `TERM`, and ends it for certain if it has not within that time; a detached child with all that it has
  /// started. Waits for its end, and tells how it was. Whoever is cancelled meanwhile leaves it as it is.
  ///
  /// @throws IllegalArgumentException if the duration is negative or longer than 292 years
  /// @throws IOException as [#exit] and [#signal] do
  public Exit end(Duration grace) throws IOException {
    Objects.requireNonNull(grace, "grace");
    try {
      return Time.timeout(
          grace,
          () -> {
            send(Signal.TERM);
            Exit heeded = exit();
            send(Signal.KILL); // what it has started and left
            return heeded;
          });
    } catch (TimeoutException over) {
      send(Signal.KILL);
      return exit();
    } catch (Exception e) {
      throw Failures.io(e);
    }
  }

  private void send(Signal signal) throws IOException {
    if (program.detached()) {
      signalGroup(signal);
    } else {
      signal(signal);
    }
  }

  /// Waits for its end, and tells how it was. Any number of coroutines may, also when it has ended.
  ///
  /// @throws IOException with the code `ECHILD` if other code of this process has taken the end away
  /// @throws dev.couv.error.ClosedException if it is closed before it has ended, also while waiting
  public Exit exit() throws IOException {
    try {
      return await();
    } catch (Exception e) {
      throw Failures.io(e);
    }
  }

  /// Hears of its end. On the loop's thread.
  private final class End implements ExitWatch.Listener {
    @Override
    public void ended(int code, @Nullable String signal) {
      over();
      settleOnLoop(
          signal == null ? new Exit.Code(code) : new Exit.Signalled(Signal.valueOf(signal)), null);
    }

    @Override
    public void lost(IOException reason) {
      over();
      settleOnLoop(null, reason);
    }

    private void over() {
      if (state == State.DYING) {
        loop.liveness().waitEnded();
      }
      state = state.end();
      giveBack();
    }
  }

  /// What it was lent waits in the loop again, not in the system's calls.
  private void giveBack() {
    for (NativeStream stream : lent) {
      if (stream.isOpen()) {
        try {
          stream.blocking(false);
        } catch (IOException e) {
          stream.close(); // it would block the loop
        }
      }
    }
    lent.clear();
  }

  private void closeStreams() {
    streams.values().forEach(ByteStream::close);
  }

  @Override
  protected void onStart() {
    loop.liveness().waitStarted();
  }

  @Override
  protected void onStop() {
    loop.liveness().waitEnded();
  }

  @Override
  protected void onDispose() {
    closeStreams();
    if (state == State.RUNNING && watch != null && !program.detached() && killed(watch)) {
      state = state.die();
      loop.liveness().waitStarted();
    }
  }

  /// False if it may not be killed, as a program that runs for another user: waiting for its end could
  /// last for ever.
  private static boolean killed(ExitWatch running) {
    try {
      return running.signal(Signal.KILL.name());
    } catch (IOException notOurs) {
      return false;
    }
  }

  @Override
  public String toString() {
    return program.name() + (pid() == 0 ? "" : " (process " + pid() + ")");
  }
}
