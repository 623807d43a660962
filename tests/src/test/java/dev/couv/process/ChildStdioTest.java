// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static dev.couv.Utf8.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.error.UvException;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.host.Spawner;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.signal.Signal;
import dev.couv.stream.ByteStream;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.OpenDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a child finds at its descriptors.
final class ChildStdioTest {
  private static String readAll(ByteStream from) throws IOException {
    return readBytes(from).toString(UTF_8);
  }

  private static ByteArrayOutputStream readBytes(ByteStream from) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuffer some; (some = from.read()) != null; ) {
      all.write(some.array(), some.arrayOffset() + some.position(), some.remaining());
    }
    return all;
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour({"PR22", "SD01"})
  void standardStreamsCanBeFiles(Spawner spawner) throws Exception {
    byte[] input = {'a', 0, 'b', '\n', 0};
    try (OpenDescriptor in = OpenDescriptor.create();
        OpenDescriptor out = OpenDescriptor.create();
        OpenDescriptor err = OpenDescriptor.create()) {
      Files.write(in.file(), input);
      Command command =
          Command.of("sh", "-c", "cat; echo gone wrong >&2")
              .stdin(Stdio.fd(in.number()))
              .stdout(Stdio.fd(out.number()))
              .stderr(Stdio.fd(err.number()));

      try (Child child = Ways.start(command, spawner)) {
        assertEquals(new Exit.Code(0), child.await());
      }

      assertArrayEquals(input, Files.readAllBytes(out.file()));
      assertEquals("gone wrong\n", Files.readString(err.file()));
    }
  }

  @Test
  @Behaviour("PR22")
  void anOpenFileCanBeWrittenByChildrenToo(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("log");
    Loop.run(
        () -> {
          try (OpenFile file = Fs.open(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            file.write(bytes("one "));
            for (Stdio to : List.of(Stdio.file(file), Stdio.stream(file))) {
              assertEquals(new Exit.Code(0), Command.of("printf", "two ").stdout(to).run());
            }
            file.write(bytes("three"));
          }
        });
    assertEquals("one two two three", Files.readString(log));
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour("SD02")
  void aPipeReadsAndWritesAtOnceWithoutADeadlock(Spawner spawner) throws Exception {
    byte[] much = new byte[3 << 20];
    new Random(1).nextBytes(much);
    Command command =
        Command.of("sh", "-c", "tee /dev/stderr")
            .stdin(Stdio.pipe())
            .stdout(Stdio.pipe())
            .stderr(Stdio.pipe());
    try (Child child = Ways.start(command, spawner)) {
      Coroutine<Void> writer =
          Coroutine.spawn(
              () -> {
                child.stdin().write(ByteBuffer.wrap(much));
                child.stdin().shutdown();
              });
      Coroutine<byte[]> errors = Coroutine.spawn(() -> readBytes(child.stderr()).toByteArray());
      byte[] out = readBytes(child.stdout()).toByteArray();
      writer.await();

      assertArrayEquals(much, out);
      assertArrayEquals(much, errors.await());
      assertEquals(new Exit.Code(0), child.await());
      assertFalse(child.stdin().isOpen());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  @Behaviour("PR23")
  @SuppressWarnings("try") // the child has its own copy
  void allThreeCanBeOneSocket(String host) throws Exception {
    try (TcpListener listener = Tcp.listen(new InetSocketAddress(host, 0));
        TcpStream ours = Tcp.connect(listener.local());
        TcpStream theirs = listener.accept()) {
      Stdio socket = Stdio.stream(theirs);
      Command command =
          Command.of("sh", "-c", "read x; echo got $x; echo bad $x >&2; read y")
              .stdin(socket)
              .stdout(socket)
              .stderr(socket);
      try (Child child = command.start()) {
        theirs.close();
        ours.write(bytes("it\n"));
        ByteBuffer answer = ByteBuffer.allocate("got it\nbad it\n".length());
        ours.readFully(answer);
        ours.shutdown();

        assertEquals("got it\nbad it\n", new String(answer.array(), UTF_8));
        assertEquals(-1, ours.read(ByteBuffer.allocate(1)));
        child.await();
      }
    }
  }

  @InLoop
  @Test
  void socketsCanBePassedToAChild() throws Exception {
    String program =
        """
        import socket
        share = socket.socket(fileno=0)
        message, sockets, _, _ = socket.recv_fds(share, 10, 1)
        passed = socket.socket(fileno=sockets[0])
        passed.sendall(b"hello " + message)
        share.sendall(b"done")
        """;
    try (TcpListener listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
        TcpStream ours = Tcp.connect(listener.local());
        TcpStream theirs = listener.accept();
        Child child = Command.of("python3", "-c", program).stdin(Stdio.share()).start()) {
      LocalStream share = (LocalStream) child.stdin();

      share.send(bytes("you"), theirs);

      ByteBuffer answer = ByteBuffer.allocate("hello you".length());
      ours.readFully(answer);
      assertEquals("hello you", new String(answer.array(), UTF_8));
      assertEquals("done", readAll(share));
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  /// The loop would wait in the middle of it.
  @InLoop
  @Test
  void aSocketThatIsInUseIsNotLent() throws Exception {
    try (TcpListener listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
        TcpStream ours = Tcp.connect(listener.local());
        TcpStream theirs = listener.accept()) {
      Command command = Command.of("true").stdin(Stdio.stream(theirs));
      Coroutine<?> reading = Coroutine.spawn(() -> theirs.read(ByteBuffer.allocate(1)));
      Coroutine.pause();

      assertThrows(IllegalStateException.class, command::start);
      reading.cancel();
      Coroutine<?> writing = Coroutine.spawn(() -> theirs.write(ByteBuffer.allocate(64 << 20)));
      Coroutine.pause();
      assertThrows(IllegalStateException.class, command::start);
      writing.cancel();
      assertThrows(CancellationException.class, writing::await);

      assertEquals(new Exit.Code(0), command.run());
      ours.reset();
    }
  }

  @InLoop
  @Test
  void aSocketWorksHereAgainWhenTheChildHasEnded() throws Exception {
    try (TcpListener listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
        TcpStream ours = Tcp.connect(listener.local());
        TcpStream theirs = listener.accept()) {
      assertEquals(new Exit.Code(0), Command.of("true").stdin(Stdio.stream(theirs)).run());

      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(5), () -> theirs.read(ByteBuffer.allocate(1))));
      ours.write(bytes("x"));
      assertEquals(1, theirs.read(ByteBuffer.allocate(1)));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour("PR25")
  void discardedStreamsAreEmptyAndSwallow(Spawner spawner) throws Exception {
    Command command =
        Command.of("sh", "-c", "cat && head -c 5000000 /dev/zero && echo x >&2")
            .stdin(Stdio.discard())
            .stdout(Stdio.discard())
            .stderr(Stdio.discard());
    try (Child child = Ways.start(command, spawner)) {
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void furtherDescriptorsAreThereToo(Spawner spawner) throws Exception {
    try (OpenDescriptor file = OpenDescriptor.create()) {
      Files.writeString(file.file(), "from a file\n");
      Command command =
          Command.of("sh", "-c", "cat <&5; read x <&3; echo $x to you >&3; ls /proc/$$/fd")
              .stdout(Stdio.pipe())
              .stdio(3, Stdio.pipe())
              .stdio(5, Stdio.fd(file.number()));
      try (Child child = Ways.start(command, spawner)) {
        child.stream(3).write(bytes("hello\n"));
        ByteBuffer answer = ByteBuffer.allocate("hello to you\n".length());
        child.stream(3).readFully(answer);

        assertEquals("hello to you\n", new String(answer.array(), UTF_8));
        assertEquals("from a file\n0\n1\n2\n3\n5\n", readAll(child.stdout()).replace("10\n", ""));
        assertThrows(IllegalStateException.class, () -> child.stream(5));
        assertThrows(IllegalStateException.class, child::stdin);
      }
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"POSIX", "LIBUV"})
  void descriptorsCanChangePlaces(Spawner spawner) throws Exception {
    try (OpenDescriptor a = OpenDescriptor.create();
        OpenDescriptor b = OpenDescriptor.create()) {
      int low = Math.min(a.number(), b.number());
      int high = Math.max(a.number(), b.number());
      if (high > 200) {
        return; // a test before has left descriptors behind: it tells so itself
      }
      Command command =
          Command.of(
                  "sh",
                  "-c",
                  "printf high >/proc/$$/fd/" + low + "; printf low >/proc/$$/fd/" + high)
              .stdio(low, Stdio.fd(high))
              .stdio(high, Stdio.fd(low));
      try (Child child = Ways.start(command, spawner)) {
        assertEquals(new Exit.Code(0), child.await());
      }
      OpenDescriptor first = a.number() == low ? a : b;
      OpenDescriptor second = a.number() == low ? b : a;
      assertEquals("low", Files.readString(first.file()));
      assertEquals("high", Files.readString(second.file()));
    }
  }

  @InLoop
  @Test
  @Behaviour("PR23")
  void aLocalSocketCanBeAllThreeToo() throws Exception {
    var pair = LocalStream.pair();
    Stdio socket = Stdio.stream(pair.second());
    Command command = Command.of("tr", "a-z", "A-Z").stdin(socket).stdout(socket);
    try (LocalStream ours = pair.first();
        Child child = command.start()) {
      pair.second().close();
      ours.write(bytes("local"));
      ours.shutdown();
      assertEquals("LOCAL", readAll(ours));
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  @Test
  void aChildCanOpenItsOutputByName() throws Exception {
    assertEquals(
        "x\n",
        Loop.run(() -> Command.of("sh", "-c", "echo x > /dev/stdout").output()).stdoutText());
  }

  @InLoop
  @Test
  void aReaderWhoLeavesEndsAChildThatWrites() throws Exception {
    try (Child child = Command.of("yes").stdout(Stdio.pipe()).start()) {
      child.stdout().readFully(ByteBuffer.allocate(100_000));

      child.stdout().close();

      assertEquals(new Exit.Signalled(Signal.PIPE), child.await());
    }
  }

  @InLoop
  @Test
  void writingToAChildThatDoesNotReadFails() throws Exception {
    try (Child child = Command.of("true").stdin(Stdio.pipe()).start()) {
      child.await();

      IOException failed = assertThrows(IOException.class, () -> child.stdin().write(bytes("x")));
      assertTrue(failed.getMessage().contains("stdin of true"), failed.getMessage());
    }
  }

  @InLoop
  @Test
  @Behaviour({"TA113", "TA114"})
  void aReadOfAPipeCanBeLeftAndClosed() throws Exception {
    Command command = Command.of("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe());
    try (Child child = command.start()) {
      Coroutine<ByteBuffer> left = Coroutine.spawn(() -> child.stdout().read());
      Coroutine.pause();
      assertThrows(BusyException.class, () -> child.stdout().read());
      left.cancel();
      assertThrows(CancellationException.class, left::await);
      child.stdin().write(bytes("kept"));
      ByteBuffer kept = ByteBuffer.allocate(4);
      child.stdout().readFully(kept);
      assertEquals("kept", new String(kept.array(), UTF_8));

      Coroutine<ByteBuffer> closed = Coroutine.spawn(() -> child.stdout().read());
      Coroutine.pause();
      child.stdout().close();
      assertThrows(AsynchronousCloseException.class, closed::await);
    }
  }

  @InLoop
  @Test
  @Behaviour("TA114")
  void theEndOfAPipeIsThereEveryTime() throws Exception {
    try (Child child = Command.of("echo", "x").stdout(Stdio.pipe()).start()) {
      assertEquals("x\n", readAll(child.stdout()));
      for (int i = 0; i < 3; i++) {
        assertEquals(-1, child.stdout().read(ByteBuffer.allocate(1)));
      }
    }
  }

  /// The VM has files of its own under those numbers then, which are nobody's business.
  @ParameterizedTest
  @Tag("jvm")
  @ValueSource(strings = {"<&-", "<&- 2>&-", "<&- >&- 2>&-"})
  void standardStreamsThatThisProcessWasStartedWithoutAreNothingToAChild(
      String without, @TempDir Path folder) throws Exception {
    Path answer = folder.resolve("answer");
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" " + without, "sh"));
    command.addAll(FreshJvm.command(WithoutStreams.class));
    command.add(answer.toString());

    Exit exit = Loop.run(() -> Command.of(command).run());

    assertEquals(new Exit.Code(0), exit);
    assertEquals(
        List.of("/dev/null", "/dev/null", "/dev/null", "EBADF"), Files.readAllLines(answer));
  }

  /// What a child of each kind finds at its input.
  static final class WithoutStreams {
    private WithoutStreams() {}

    public static void main(String[] arguments) throws Exception {
      Path answer = Path.of(arguments[0]);
      Command look = Command.of("readlink", "/proc/self/fd/0").stdout(Stdio.pipe());
      List<String> seen = new ArrayList<>();
      Loop.run(
          () -> {
            for (Spawner spawner : Spawner.values()) {
              try (Child child = Ways.start(look, spawner)) {
                seen.add(child.stdout().lines().next());
                child.await();
              }
            }
            try {
              look.stdin(Stdio.fd(0)).start();
            } catch (UvException refused) {
              seen.add(refused.code());
            }
          });
      Files.write(answer, seen);
    }
  }
}
