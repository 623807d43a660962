// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.strand.Suspension;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Standard output that notices when nobody reads it any more, as in `couv run FILE.java | head`. The JVM ignores
/// the signal that ends other programs then, and `System.out` swallows the failure: a script would go on for
/// nobody. So whoever writes is cancelled, and unwinds from there, also if it never waits.
final class PipedOutput extends FilterOutputStream {
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
  private static final int SIZE = 8192;
  private static final int KIND = 0170000;
  private static final int FIFO = 0010000;
  private static final int SOCKET = 0140000;

  private final Interruption interruption;

  private PipedOutput(OutputStream out, Interruption interruption) {
    super(out);
    this.interruption = interruption;
  }

  /// Replaces `System.out`, if that is a pipe.
  static void install(Interruption interruption) {
    if (!isPipe()) {
      return;
    }
    OutputStream descriptor = new FileOutputStream(FileDescriptor.out);
    OutputStream out = new PipedOutput(new BufferedOutputStream(descriptor, SIZE), interruption);
    System.setOut(new PrintStream(out, true, System.out.charset()));
  }

  /// Whether this is what Couv's own stream for standard output throws when nobody reads it.
  static boolean isClosedBy(@Nullable Throwable failure) {
    return failure instanceof UvException refused
        && refused.code().equals("EPIPE")
        && refused.subject().contains("stdout")
        && isPipe();
  }

  private static boolean isPipe() {
    try {
      int kind = (Integer) Files.getAttribute(STANDARD_OUTPUT, "unix:mode") & KIND;
      return kind == FIFO || kind == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // another system
    }
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException closed) {
      leave();
      throw closed; // which a PrintStream keeps to itself
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException closed) {
      leave();
      throw closed; // which a PrintStream keeps to itself
    }
  }

  /// Has the caller unwind, unless it does already: what it writes on its way out is dropped. A thread of `Loop.offload`
  /// was interrupted by then, if its coroutine was cancelled; others are left to themselves.
  private void leave() {
    boolean unwinds =
        Suspension.isInCoroutine() && Coroutine.current().cancel(Interruption.OUTPUT_CLOSED);
    interruption.outputClosed();
    if (unwinds) {
      Suspension.pass("System.out");
    } else if (!Suspension.isInCoroutine() && Thread.currentThread().isInterrupted()) {
      throw new CancellationException(Interruption.OUTPUT_CLOSED);
    }
  }
}
