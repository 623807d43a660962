// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.uv.UvHandle;
import dev.couv.uv.UvSignal;
import java.io.IOException;

/// A coroutine handle: a signal of the system. The test JVM must be sent one only while somebody
/// watches it: not watched, it ends the process.
final class SignalOperation extends HandleOperation {
  static final int SIGUSR1 = 10;
  static final int SIGWINCH = 28;

  private final String name;
  private final int number;

  SignalOperation(String name) {
    this(name, SIGUSR1);
  }

  SignalOperation(String name, int number) {
    this.name = name;
    this.number = number;
  }

  /// Sends SIGUSR1 to this process.
  static void send() {
    send(SIGUSR1);
  }

  static void send(int number) {
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      Process kill = new ProcessBuilder("kill", "-" + number, pid).inheritIO().start();
      assertEquals(0, kill.waitFor());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected int handleType() {
    return UvHandle.UV_SIGNAL;
  }

  @Override
  protected int init(long loop, long handle) {
    return UvSignal.uv_signal_init(loop, handle);
  }

  @Override
  protected int arm(long handle) {
    return UvSignal.uv_signal_start(handle, Callbacks.SIGNAL_CB, number);
  }

  @Override
  protected int disarm(long handle) {
    return UvSignal.uv_signal_stop(handle);
  }

  @Override
  protected boolean continues(HandleOperation before) {
    return before instanceof SignalOperation signal && signal.number == number;
  }

  @Override
  public String toString() {
    return name;
  }
}
