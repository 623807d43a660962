// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static dev.couv.Utf8.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.error.UvException;
import dev.couv.testing.InLoop;
import dev.couv.uv.Memory;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixBytes;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Pipes and sockets that are shared with others, who expect them to block.
final class SharedStreamTest {
  /// What is shared.
  enum Kind {
    SOCKET,
    PIPE,
    /// One that was made by another user.
    FOREIGN_PIPE
  }

  /// Two connected descriptors, both blocking: one end is read, the other written.
  private record Ends(Kind kind, int read, int write) implements AutoCloseable {
    static Ends open(Kind kind) {
      long fds = Memory.calloc(1, 8);
      try {
        int code =
            kind == Kind.SOCKET ? UvPipe.uv_socketpair(1, 0, fds, 0, 0) : UvPipe.uv_pipe(fds, 0, 0);
        assertEquals(0, code);
        return new Ends(kind, Memory.getInt(fds), Memory.getInt(fds + 4));
      } finally {
        Memory.free(fds);
      }
    }

    Terminal open(int descriptor) throws IOException {
      if (kind != Kind.FOREIGN_PIPE) {
        return Terminal.open(descriptor, "shared");
      }
      int refusal = UvErrors.code("EACCES");
      try (var _ = NativeCalls.replace("uv_fs_open", NativeCalls.failing("uv_fs_open", refusal))) {
        return Terminal.open(descriptor, "shared");
      }
    }

    void send(String text) {
      byte[] bytes = text.getBytes(UTF_8);
      long at = Memory.malloc(bytes.length);
      Memory.view(at, bytes.length).put(bytes);
      assertEquals(bytes.length, PosixBytes.write(write, at, bytes.length));
      Memory.free(at);
    }

    @Override
    public void close() {
      Posix.close(read);
      Posix.close(write);
    }
  }

  private static String flags(int descriptor) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor)).get(1);
  }

  @ParameterizedTest
  @EnumSource
  void readsWhatComesAndLeavesTheDescriptorBlocking(Kind kind) throws Exception {
    try (var ends = Ends.open(kind)) {
      String before = flags(ends.read);
      assertTrue(before.startsWith("flags"), before);
      Loop.run(
          () -> {
            try (var in = ends.open(ends.read)) {
              assertFalse(in.isTerminal());
              ends.send("hello");
              assertEquals("hello", text(in.read()));
              var reader = Coroutine.spawn(() -> in.read());
              Coroutine.pause();
              assertEquals(before, flags(ends.read));
              ends.send("later");
              assertEquals("later", text(reader.await()));
              assertEquals("ENOTTY", assertThrows(UvException.class, in::size).code());
            }
          });
      assertEquals(before, flags(ends.read));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void aCancelledOrResumedReadTakesNothing(Kind kind) throws Exception {
    try (var ends = Ends.open(kind)) {
      try (var in = ends.open(ends.read)) {
        for (int i = 0; i < 10; i++) {
          boolean resumed = i % 3 == 0;
          Coroutine<?> reader =
              Coroutine.spawn(() -> resumed ? assertThrows(Resumed.class, in::read) : in.read());
          Coroutine.pause();
          if (i % 2 == 0) {
            ends.send("x");
          }
          if (resumed) {
            reader.resume();
            reader.await();
          } else {
            reader.cancel();
            assertThrows(CancellationException.class, reader::await);
          }
          if (i % 2 == 1) {
            ends.send("x");
          }
          assertEquals("x", text(in.read()));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theEndIsForGood(Kind kind) throws Exception {
    var ends = Ends.open(kind);
    Posix.close(ends.write);
    Loop.run(
        () -> {
          try (var in = ends.open(ends.read)) {
            assertNull(in.read());
            assertEquals(-1, in.read(ByteBuffer.allocate(1)));
            in.unread(UTF_8.encode("back"));
            in.unread(UTF_8.encode("put "));
            assertEquals("put back", text(in.read()));
            assertNull(in.read());
          }
        });
    Posix.close(ends.read);
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void aSecondReaderIsRefusedAndClosingWakesTheFirst(Kind kind) throws Exception {
    try (var ends = Ends.open(kind)) {
      var in = ends.open(ends.read);
      var reader = Coroutine.spawn(() -> assertThrows(ClosedChannelException.class, in::read));
      Coroutine.pause();
      assertThrows(BusyException.class, in::read);
      in.close();
      reader.await();
      assertThrows(ClosedChannelException.class, in::read);
      in.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEndThatTakesNoMoreMakesOnlyTheWriterWait(Kind kind) throws Exception {
    try (var ends = Ends.open(kind)) {
      String before = flags(ends.write);
      Loop.run(
          () -> {
            try (var out = ends.open(ends.write);
                var in = ends.open(ends.read)) {
              var all = ByteBuffer.allocate(1 << 20);
              var writer = Coroutine.spawn(() -> out.write(all));
              var next = Coroutine.spawn(() -> out.write(UTF_8.encode("x")));
              Coroutine.pause();
              assertTrue(all.hasRemaining());
              assertEquals(0, out.tryWrite(UTF_8.encode("y")));
              assertEquals(before, flags(ends.write));
              var got = ByteBuffer.allocate((1 << 20) + 1);
              in.readFully(got);
              assertEquals('x', got.get(1 << 20));
              writer.await();
              next.await();
              assertEquals(1, out.tryWrite(UTF_8.encode("z")));
              assertEquals("z", text(in.read()));
            }
          });
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void aCancelledWriteTellsHowFarItCame(Kind kind) throws Exception {
    try (var ends = Ends.open(kind)) {
      try (var out = ends.open(ends.write);
          var in = ends.open(ends.read)) {
        var all = ByteBuffer.allocate(1 << 20);
        var writer = Coroutine.spawn(() -> out.write(all));
        Coroutine.pause();
        writer.cancel();
        assertThrows(CancellationException.class, writer::await);
        in.readFully(ByteBuffer.allocate(all.position()));
        out.write(UTF_8.encode("next"));
        assertEquals("next", text(in.read()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void writingToNobodyFails(Kind kind) throws Exception {
    var ends = Ends.open(kind);
    Posix.close(ends.read);
    Loop.run(
        () -> {
          try (var out = ends.open(ends.write)) {
            var refused = assertThrows(UvException.class, () -> out.write(UTF_8.encode("x")));
            assertEquals("EPIPE", refused.code());
          }
        });
    Posix.close(ends.write);
  }

  @ParameterizedTest
  @EnumSource(names = {"SOCKET", "FOREIGN_PIPE"})
  void refusalsOfTheSystemAreToldAndLeaveNothing(Kind kind) throws Exception {
    int code = UvErrors.code("EMFILE");
    try (var ends = Ends.open(kind)) {
      Loop.run(
          () -> {
            for (String call : new String[] {"epoll_create1", "epoll_ctl", "uv_poll_init"}) {
              try (var out = ends.open(ends.write);
                  var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
                var refused = assertThrows(UvException.class, () -> ends.open(ends.read));
                assertEquals("EMFILE", refused.code());
                var more = ByteBuffer.allocate(1 << 20); // than it takes at once
                refused = assertThrows(UvException.class, () -> out.write(more));
                assertEquals("EMFILE", refused.code());
              }
            }
            try (var in = ends.open(ends.read);
                var _ =
                    NativeCalls.replace(
                        "uv_poll_start", NativeCalls.failing("uv_poll_start", code))) {
              assertEquals("EMFILE", assertThrows(UvException.class, in::read).code());
            }
            try (var _ = NativeCalls.replace("dup", NativeCalls.failing("dup", code))) {
              assertThrows(UvException.class, () -> ends.open(ends.read));
            }
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"SOCKET, recv, send", "FOREIGN_PIPE, read, write"})
  void bytesThatCannotBeMovedAreToldAndTheNextOnesCan(Kind kind, String reading, String writing)
      throws Exception {
    int code = UvErrors.code("EIO");
    try (var ends = Ends.open(kind)) {
      Loop.run(
          () -> {
            try (var in = ends.open(ends.read);
                var out = ends.open(ends.write)) {
              try (var _ = NativeCalls.replace(writing, NativeCalls.failing(writing, code))) {
                var refused = assertThrows(UvException.class, () -> out.write(UTF_8.encode("x")));
                assertEquals("EIO", refused.code());
              }
              out.write(UTF_8.encode("hello"));
              try (var _ = NativeCalls.replace(reading, NativeCalls.failing(reading, code))) {
                assertEquals("EIO", assertThrows(UvException.class, in::read).code());
              }
              assertEquals("hello", text(in.read()));
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"uv_pipe_init", "uv_pipe_open"})
  void aPipeThatLibuvRefusesIsToldAndLeavesNothing(String call) throws Exception {
    int code = UvErrors.code("EMFILE");
    try (var ends = Ends.open(Kind.PIPE)) {
      Loop.run(
          () -> {
            try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
              var refused = assertThrows(UvException.class, () -> ends.open(ends.read));
              assertEquals("open shared", refused.call() + " " + refused.subject());
            }
            try (var in = ends.open(ends.read)) {
              ends.send("hello");
              assertEquals("hello", text(in.read()));
            }
          });
    }
  }
}
