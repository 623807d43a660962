// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.NativeMemory;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Termios;
import dev.couv.uv.UvErrors;

/// How a terminal is set: what the system calls a `termios`, as it was asked for, to be set again.
///
/// Where the system has none, on Windows, there is nothing to remember, and all of this does nothing.
@SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
record TerminalSetting(byte[] bytes) {
  static final boolean KNOWN = Native.systemHas("tcsetattr");

  /// Whether nothing is known: then it can neither be set nor changed.
  boolean isEmpty() {
    return bytes.length == 0;
  }

  /// As the terminal is set now; what is not known is empty.
  static TerminalSetting of(int descriptor) {
    byte[] bytes = {};
    if (KNOWN) {
      long at = Memory.calloc(1, Termios.TERMIOS_ROOM);
      if (at != 0 && Termios.tcgetattr(descriptor, at) >= 0) {
        bytes = new byte[(int) Termios.TERMIOS_ROOM];
        Memory.copy(at, bytes, 0, bytes.length);
      }
      Memory.free(at);
    }
    return new TerminalSetting(bytes);
  }

  /// What was typed and not read is not for whoever reads next.
  static void discardInput(int descriptor) {
    if (KNOWN) {
      Termios.tcflush(descriptor, Termios.TCIFLUSH);
    }
  }

  /// The same, but what is typed is not shown, except the end of a line.
  TerminalSetting withoutEcho() {
    if (bytes.length == 0) {
      return this;
    }
    long at = NativeMemory.check(write());
    Termios.hideEcho(at);
    byte[] hidden = new byte[bytes.length];
    Memory.copy(at, hidden, 0, hidden.length);
    Memory.free(at);
    return new TerminalSetting(hidden);
  }

  /// Sets the terminal so. The system's code.
  int set(int descriptor, int when) {
    if (bytes.length == 0) {
      return 0;
    }
    long at = write();
    if (at == 0) {
      return UvErrors.code("ENOMEM");
    }
    try {
      return Termios.tcsetattr(descriptor, when, at);
    } finally {
      Memory.free(at);
    }
  }

  /// Into memory that the caller frees; 0 if there is none.
  private long write() {
    long at = Memory.calloc(1, bytes.length);
    if (at != 0) {
      Memory.copy(bytes, 0, at, bytes.length);
    }
    return at;
  }
}
