// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.process.Command;
import dev.couv.process.Exit;
import dev.couv.process.Stdio;
import dev.couv.stream.ByteStream;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The standard streams of a JVM of its own, connected to whatever there is. The program also writes to
/// `System.out`, in between.
@Tag("jvm")
final class StandardStreamsTest {
  private static final List<String> PROGRAM =
      FreshJvm.command(StandardEcho.class, "-XX:TieredStopAtLevel=1");

  @TempDir private Path directory;

  private static String expected(String text) {
    return "begin\n%send %d\nSystem.out\nanother loop\n".formatted(text, text.length());
  }

  /// Others use the same open files before and after.
  @Test
  @Behaviour("SD01")
  void files() throws Exception {
    Path in = Files.writeString(directory.resolve("in"), "taken\nhello\nworld\n");
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    String shell =
        "{ read line; echo before; \"$@\"; echo \"after $?\"; } <'%s' >'%s' 2>'%s'"
            .formatted(in, out, err);
    var command = new java.util.ArrayList<>(List.of("sh", "-c", shell, "sh"));
    command.addAll(PROGRAM);

    end(new ProcessBuilder(command).start());

    assertTrue(Files.readAllLines(err).contains("true"));
    assertEquals("before\n" + expected("hello\nworld\n") + "after 0\n", Files.readString(out));
  }

  @Test
  @Behaviour("SD02")
  void pipes() throws Exception {
    Process program = new ProcessBuilder(PROGRAM).start();
    try (var in = program.outputWriter(UTF_8);
        var out = program.inputReader(UTF_8);
        var err = program.errorReader(UTF_8)) {
      assertEquals("begin", out.readLine());
      in.write("hello\n");
      in.flush();
      assertEquals("hello", out.readLine()); // while more is awaited
      String much = "x".repeat(1 << 20);
      Thread.ofVirtual()
          .start(
              () -> {
                try (in) {
                  in.write(much + "\n");
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      assertEquals(much, out.readLine());
      assertEquals("end " + (much.length() + 7), out.readLine());
      assertEquals("System.out", out.readLine());
      assertEquals("another loop", out.readLine());
      assertNull(out.readLine());
      assertTrue(err.lines().toList().contains("true"));
    }
    end(program);
  }

  @Test
  void nothingAtAll() throws Exception {
    Process program =
        new ProcessBuilder(PROGRAM)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(Path.of("/dev/null").toFile())
            .start();
    try (var err = program.errorReader(UTF_8)) {
      assertTrue(err.lines().toList().contains("true"));
    }
    end(program);
  }

  /// The VM has a file of its own under that number then.
  @Test
  void oneThatTheProcessWasStartedWithoutIsNotOpen() throws Exception {
    var command = new java.util.ArrayList<>(List.of("sh", "-c", "exec \"$@\" <&-", "sh"));
    command.addAll(FreshJvm.command(WithoutInput.class, "-XX:TieredStopAtLevel=1"));
    Process program = new ProcessBuilder(command).start();
    try (var out = program.inputReader(UTF_8)) {
      assertEquals(List.of("EBADF"), out.lines().toList());
    }
    end(program);
  }

  /// Tells how standard input refuses to be opened.
  static final class WithoutInput {
    private WithoutInput() {}

    public static void main(String[] arguments) throws Exception {
      Loop.run(
          () -> {
            try {
              System.out.println(Terminal.stdin().read());
            } catch (UvException refused) {
              System.out.println(refused.code());
            }
          });
    }
  }

  @Test
  void aTerminal() throws Exception {
    try (var pty = new Pty();
        var program = PtyProgram.start(pty, StandardEcho.class)) {
      pty.expect("begin\r\n");
      pty.type("hello\n\u0004");
      pty.expect("hello\r\nhello\r\n"); // as typed, and as copied
      pty.expect("end 6\r\nSystem.out\r\ntrue\r\nanother loop\r\n");
      assertEquals(0, program.end());
    }
  }

  @InLoop
  @Test
  void aLocalSocket() throws Exception {
    var pair = LocalStream.pair();
    converse(pair.first(), pair.second());
  }

  @InLoop
  @Test
  void aTcpSocket() throws Exception {
    try (var listener = Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      var accepted = Coroutine.spawn(listener::accept);
      var near = Tcp.connect(listener.local());
      converse(near, accepted.await());
    }
  }

  private static void converse(ByteStream near, ByteStream far) throws Exception {
    try (near;
        far) {
      var child =
          Command.of(PROGRAM)
              .stdin(Stdio.stream(far))
              .stdout(Stdio.stream(far))
              .stderr(Stdio.discard())
              .start();
      far.close();
      near.write(UTF_8.encode("hello\n"));
      near.shutdown();
      var answer = new ByteArrayOutputStream();
      for (ByteBuffer bytes; (bytes = near.read()) != null; ) {
        answer.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      }
      assertEquals(expected("hello\n"), answer.toString(UTF_8));
      assertEquals(new Exit.Code(0), child.await());
    }
  }

  private static void end(Process program) throws Exception {
    try {
      assertTrue(program.waitFor(240, TimeUnit.SECONDS), "it does not end");
      assertEquals(0, program.exitValue());
    } finally {
      program.destroyForcibly();
    }
  }
}
