// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.signal.Signal;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Running a program to its end for what it says, with programs of every day.
final class OutputTest {
  @TempDir private Path folder;

  @InLoop
  @Test
  void bothOutputsAndTheEndAreTold() throws Exception {
    Output output = Command.of("sh", "-c", "echo one; echo two >&2; exit 3").output();

    assertEquals("one\n", output.stdoutText());
    assertEquals("two\n", output.stderrText());
    assertEquals(new Exit.Code(3), output.exit());
  }

  @InLoop
  @Test
  void muchOnBothIsTakenAtOnce() throws Exception {
    String both = "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero";

    Output output = Command.of("sh", "-c", both).output();

    assertArrayEquals(new byte[3_000_000], output.stdout());
    assertArrayEquals(new byte[3_000_000], output.stderr());
  }

  @InLoop
  @Test
  void inputIsFedWhileTheOutputIsTaken() throws Exception {
    byte[] much = new byte[5_000_000];
    new Random(2).nextBytes(much);

    Output echoed = Command.of("cat").output(ByteBuffer.wrap(much));
    Output sum = Command.of("sha256sum").output(ByteBuffer.wrap(much));

    assertArrayEquals(much, echoed.stdout());
    String expected = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(much));
    assertEquals(expected + "  -\n", sum.stdoutText());
  }

  @InLoop
  @Test
  void aChildThatDoesNotWantItsInputIsNoFailure() throws Exception {
    Output output = Command.of("head", "-c", "3").output(ByteBuffer.wrap(new byte[1 << 20]));

    assertEquals(3, output.stdout().length);
    assertEquals(new Exit.Code(0), output.exit());
  }

  @InLoop
  @Test
  void withoutInputThereIsNothingToRead() throws Exception {
    assertEquals(0, Command.of("cat").output().stdout().length);
  }

  @InLoop
  @Test
  void whatWasSaidAboutAnOutputHolds() throws Exception {
    Output output =
        Command.of("sh", "-c", "echo one; echo two >&2").stderr(Stdio.discard()).output();

    assertEquals("one\n", output.stdoutText());
    assertEquals("", output.stderrText());
  }

  @InLoop
  @Test
  void aLimitEndsAChildThatWritesMore() throws Exception {
    Command endless = Command.of("sh", "-c", "echo $$ >&2; exec yes").limit(100_000);

    var tooLarge = assertThrows(OutputTooLarge.class, () -> endless.output());

    assertTrue(tooLarge.getMessage().contains("stdout of sh"), tooLarge.getMessage());
  }

  @InLoop
  @Test
  void theLimitHoldsForTheErrorOutputToo() throws Exception {
    Command endless = Command.of("sh", "-c", "yes >&2; exit 1").limit(100_000);

    var tooLarge = assertThrows(OutputTooLarge.class, () -> endless.output());

    assertTrue(tooLarge.getMessage().contains("stderr of sh"), tooLarge.getMessage());
  }

  @InLoop
  @Test
  void aPipeThatNobodyFeedsEnds() throws Exception {
    Command command = Command.of("cat").stdin(Stdio.pipe());

    assertEquals(new Exit.Code(0), command.output().exit());
  }

  @Test
  void pipesThatNobodyCanUseDoNotKeepARun() throws Exception {
    Command reading = Command.of("cat").stdin(Stdio.pipe());
    Command writing =
        Command.of("sh", "-c", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; exit 4")
            .stdout(Stdio.pipe())
            .stderr(Stdio.pipe());
    Path pid = folder.resolve("pid");
    Command leaving = Command.of("sh", "-c", "sleep 1000 & echo $! > " + pid).stdout(Stdio.pipe());

    assertEquals(new Exit.Code(0), Loop.run(() -> reading.run()));
    assertEquals(new Exit.Code(4), Loop.run(() -> writing.run()));
    assertEquals(new Exit.Code(0), Loop.run(() -> leaving.run()));
    assertTrue(
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
            .orElseThrow()
            .destroyForcibly());
  }

  @InLoop
  @Test
  void exactlyTheLimitIsAllowed() throws Exception {
    Command command = Command.of("head", "-c", "1000", "/dev/zero");

    assertEquals(1000, command.limit(1000).output().stdout().length);
    assertThrows(OutputTooLarge.class, () -> command.limit(999).output());
  }

  @InLoop
  @Test
  @Behaviour("PR29")
  void aCancelKillsTheChildAndAnotherCanBeStarted() throws Exception {
    for (int i = 0; i < 2; i++) {
      Path pid = folder.resolve("pid" + i);
      String script = "echo $$ > " + pid + "; exec sleep 1000";
      Command command = Command.of("sh", "-c", script);
      Coroutine<Object> running =
          i == 0 ? Coroutine.spawn(() -> command.run()) : Coroutine.spawn(() -> command.output());
      while (!Files.exists(pid) || Files.readString(pid).isEmpty()) {
        Time.sleep(Duration.ofMillis(1));
      }
      ProcessHandle child =
          ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();

      running.cancel();

      assertThrows(CancellationException.class, running::await);
      assertEquals(new Exit.Code(0), Command.of("true").run());
      while (child.isAlive()) {
        Time.sleep(Duration.ofMillis(1));
      }
    }

    // The leak check shows that no child, stream or descriptor is left.
  }

  @InLoop
  @Test
  void aTimeoutKillsTheChild() throws Exception {
    long start = System.nanoTime();
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(20), () -> Command.of("sleep", "1000").run()));
    assertTrue(Duration.ofNanos(System.nanoTime() - start).toSeconds() < 120);
  }

  @InLoop
  @Test
  void aChildEndedByASignalSaysSo() throws Exception {
    Output output = Command.of("sh", "-c", "echo x; kill -9 $$").output();

    assertEquals("x\n", output.stdoutText());
    assertEquals(new Exit.Signalled(Signal.KILL), output.exit());
  }

  @InLoop
  @Test
  void gitAndTarDoTheirWork() throws Exception {
    Command git =
        Command.of(Needed.program("git"), "-c", "user.name=x", "-c", "user.email=x@example.org")
            .dir(folder);
    say("git", "init", "-q");
    Files.writeString(folder.resolve("file"), "text\n");
    say("git", "add", "file");
    assertEquals(
        new Exit.Code(0),
        Command.of(
                "git",
                "-c",
                "user.name=x",
                "-c",
                "user.email=x@example.org",
                "commit",
                "-qm",
                "first")
            .dir(folder)
            .run());
    assertEquals("first\n", say("git", "log", "--format=%s"));
    assertEquals("git -c user.name=x -c user.email=x@example.org", git.toString());

    Output packed = Command.of(Needed.program("tar"), "-cf", "-", "file").dir(folder).output();
    Output listed = Command.of("tar", "-tf", "-").output(ByteBuffer.wrap(packed.stdout()));
    assertEquals("file\n", new String(listed.stdout(), UTF_8));
  }

  private String say(String program, String... arguments) throws Exception {
    Output output = Command.of(program, arguments).dir(folder).output();
    assertEquals(new Exit.Code(0), output.exit(), output::stderrText);
    return output.stdoutText();
  }
}
