// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.PoolThreads;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvTty;
import dev.couv.world.TerminalHandle.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The terminals whose modes this process has changed. A mode belongs to the terminal, not to one of the streams on it, and has to be put back when the process ends; so each terminal whose mode was changed is
/// kept, as long as the process lives.
///
/// ## Putting it back
///
/// | The program | The mode is put back by |
/// |---|---|
/// | closes the stream that set it, or its loop ends, also by an exception | [#left] |
/// | ends, calls `System.exit`, or gets `INT`, `TERM` or `HUP` | a shutdown hook |
/// | calls `Runtime.halt` | the C library, at exit |
/// | is killed, or crashes with the VM | the [TerminalGuard] |
///
/// In the background, after Ctrl-Z and `bg`, the terminal is the shell's, which has set it for itself when it
/// took it over. Then there is nothing to put back. When the process is stopped and goes on: [JobControl].
///
/// Any thread; the lock is held for system calls that change the mode.
final class TerminalModes {
  /// Those of this process.
  static final TerminalModes ALL = new TerminalModes();

  private final Map<Long, TerminalDevice> changed = new HashMap<>();
  private final JobControl job = new JobControl(this::stop, this::setAgain);
  private boolean guarded;

  private TerminalModes() {}

  /// Sets the mode of the terminal behind the descriptor, for that stream.
  synchronized void set(int descriptor, Mode mode, Object stream) throws IOException {
    long device = number(descriptor);
    TerminalDevice known = changed.get(device);
    if (known == null) {
      if (mode == Mode.NORMAL) {
        return;
      }
      known = TerminalDevice.open(descriptor, stream);
      changed.put(device, known);
    }
    guard();
    known.set(mode, stream);
    hearOfStops();
  }

  /// What was set last.
  synchronized Mode of(int descriptor) throws IOException {
    TerminalDevice known = changed.get(number(descriptor));
    return known == null ? Mode.NORMAL : known.mode();
  }

  /// The stream is closed: what it has set does not outlive it. A terminal that has gone cannot be set
  /// back, and need not be.
  synchronized void left(Object stream) {
    for (TerminalDevice device : changed.values()) {
      if (device.isOwnedBy(stream)) {
        device.putBack();
      }
    }
    hearOfStops();
  }

  private void hearOfStops() {
    job.hear(changed.values().stream().anyMatch(device -> device.mode() != Mode.NORMAL));
  }

  /// The keyboard asks the process to stop.
  private synchronized void stop() {
    if (job.isForTheProgram()) {
      return;
    }
    changed.values().forEach(TerminalDevice::lend);
    job.stopNow();
    setAgain();
  }

  private synchronized void setAgain() {
    changed.values().forEach(TerminalDevice::setAgain);
  }

  /// Which terminal it is: every descriptor on it gives the same.
  private static long number(int descriptor) throws IOException {
    return ((Number) Files.getAttribute(Path.of("/dev/fd/" + descriptor), "unix:rdev")).longValue();
  }

  /// Before the first change, so that there is no moment without it.
  private void guard() {
    if (guarded) {
      return;
    }
    guarded = true;
    try {
      Runtime.getRuntime()
          .addShutdownHook(Thread.ofPlatform().name("couv-terminal").unstarted(this::restore));
    } catch (IllegalStateException ending) {
      // The hooks run already; what follows them is enough.
    }
    if (Native.systemHas("on_exit")) {
      PoolThreads.shortenExit();
      Posix.on_exit(UvTty.resetMode(), 0);
    }
  }

  /// The process ends.
  private synchronized void restore() {
    changed.values().forEach(TerminalDevice::restore);
    changed.clear();
    hearOfStops();
  }
}
