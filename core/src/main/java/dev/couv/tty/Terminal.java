// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.coro.Event;
import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.fs.OpenFile;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.strand.LoopLocal;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.wire.KeepsNothing;
import dev.couv.world.DescriptorStreams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Standard input, output or error: a byte stream, whatever it is connected to, a terminal, a pipe, a
/// file, a socket or `/dev/null`. Only what a terminal can do besides needs one: [#mode(TerminalMode)],
/// [#size], [#onResize].
///
/// ```java
/// var keys = Terminal.stdin();
/// keys.mode(TerminalMode.RAW);
/// for (ByteBuffer key; (key = keys.read()) != null; ) …
/// ```
///
/// A loop has one of each, which is opened when it is first asked for. Closing it ends what is awaited,
/// puts the mode of the terminal back, and leaves the process's own descriptor open: it can be asked for
/// again. `System.in` and `System.out` go on as they were, beside it, and stay blocking; what the two of them
/// buffer is theirs alone.
///
/// Cancelling a read takes no key from the next. The end of the stream is for good: a terminal whose
/// user has typed Ctrl-D at the beginning of a line has to be closed and asked for again.
///
/// The mode is put back when the program ends: by itself, by an exception, by `System.exit` or
/// `Runtime.halt`, by `INT`, `TERM` or `HUP`; and a moment later when the VM crashes or is killed. A program that ends
/// in the background leaves the terminal to whoever has it then.
@SuppressWarnings("exports") // what it keeps concerns streams only
public final class Terminal implements ByteStream, LoopBound, KeepsNothing {
  private static final LoopLocal<StandardStreams> STREAMS = new LoopLocal<>(StandardStreams::new);

  private final EventLoop loop;
  private final ByteStream stream;

  private Terminal(EventLoop loop, ByteStream stream) {
    this.loop = loop;
    this.stream = stream;
  }

  /// Standard input.
  public static Terminal stdin() throws IOException {
    return STREAMS.get("Terminal.stdin").open(0, "stdin");
  }

  /// Standard output.
  public static Terminal stdout() throws IOException {
    return STREAMS.get("Terminal.stdout").open(1, "stdout");
  }

  /// Standard error, where messages are to be written that are not the program's output.
  public static Terminal stderr() throws IOException {
    return STREAMS.get("Terminal.stderr").open(2, "stderr");
  }

  /// A stream on the descriptor, which stays as it is.
  static Terminal open(int descriptor, String name) throws IOException {
    EventLoop loop = Suspension.loop("Terminal." + name);
    DescriptorStreams streams = Suspension.world().streams();
    ByteStream stream =
        switch (streams.kind(descriptor, name)) {
          case TERMINAL -> new TtyStream(streams.terminal(loop, descriptor, name));
          case PIPE -> new SharedPipe(streams.pipe(loop, descriptor, name));
          case FILE -> OpenFile.adopt(streams.duplicate(descriptor, name), Path.of("/dev", name));
        };
    return new Terminal(loop, stream);
  }

  /// Whether it is a terminal, and has a mode and a size.
  public boolean isTerminal() {
    return stream instanceof TtyStream;
  }

  /// Sets what the terminal does with keys, for everybody who uses it, until it is set otherwise or this
  /// stream is closed, in whatever way.
  ///
  /// @throws IOException with the code `ENOTTY` if it is not a terminal
  public void mode(TerminalMode mode) throws IOException {
    terminal("set mode").handle.mode(mode.asSet());
  }

  /// What the terminal does with keys now, as far as this process has set it.
  ///
  /// @throws IOException with the code `ENOTTY` if it is not a terminal
  public TerminalMode mode() throws IOException {
    return TerminalMode.of(terminal("get mode").handle.mode());
  }

  /// How many characters fit now.
  ///
  /// @throws IOException with the code `ENOTTY` if it is not a terminal
  public TerminalSize size() throws IOException {
    return terminal("get size").size();
  }

  /// Happens when the terminal has another size than when the event was made, or last happened; tells the
  /// new one. The system tells only the programs in the foreground of their own terminal.
  ///
  /// @throws IOException with the code `ENOTTY` if it is not a terminal
  public Event<TerminalSize> onResize() throws IOException {
    return new ResizeEvent(terminal("watch size"));
  }

  /// Await function: one line that is not shown while it is typed, only its end; null if the stream ends first. The
  /// caller may overwrite it after use. Where this is not a terminal the line is read as it comes.
  ///
  /// Cancelled, it takes what was typed of the line away, so that nobody else gets half a password. However
  /// it ends, the mode is what it was.
  public char @Nullable [] readPassword() throws IOException {
    if (!(stream instanceof TtyStream terminal)) {
      return HiddenLine.read(stream);
    }
    TerminalMode before = mode();
    mode(TerminalMode.NO_ECHO);
    boolean complete = false;
    try {
      char[] line = HiddenLine.read(stream);
      complete = true;
      return line;
    } catch (BusyException e) {
      complete = true; // what is typed is for the other reader
      throw e;
    } finally {
      if (!complete) {
        terminal.handle.discardInput();
      }
      if (isOpen()) {
        mode(before);
      }
    }
  }

  private TtyStream terminal(String call) throws IOException {
    loop.checkThread(this);
    if (!isOpen()) {
      throw Failures.closed(this);
    }
    if (stream instanceof TtyStream terminal) {
      return terminal;
    }
    throw Failures.named("ENOTTY", call, toString());
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return stream.read(into);
  }

  @Override
  public @Nullable ByteBuffer read() throws IOException {
    return stream.read();
  }

  @Override
  public void unread(ByteBuffer bytes) throws IOException {
    stream.unread(bytes);
  }

  @Override
  public void write(ByteBuffer... from) throws IOException {
    stream.write(from);
  }

  @Override
  public int tryWrite(ByteBuffer from) throws IOException {
    return stream.tryWrite(from);
  }

  /// Waits until everything is written, and closes it: except for a socket, nobody else can see that.
  @Override
  public void shutdown() throws IOException {
    stream.shutdown();
  }

  @Override
  public boolean isOpen() {
    return stream.isOpen();
  }

  @Override
  public long pending() throws IOException {
    return stream.pending();
  }

  @Override
  public void close() {
    stream.close();
  }

  @Override
  public boolean isHere() {
    return loop.isInside();
  }

  @Override
  public String toString() {
    return stream.toString();
  }
}
