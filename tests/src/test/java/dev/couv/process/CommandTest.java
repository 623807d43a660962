// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.host.Spawner;
import dev.couv.signal.Signal;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a command says, and what the child makes of it.
final class CommandTest {
  @TempDir private Path folder;

  private static List<String> linesOf(Command command, Spawner spawner) throws Exception {
    try (Child child = Ways.start(command.stdout(Stdio.pipe()), spawner)) {
      List<String> lines = new ArrayList<>();
      for (String line : child.stdout().lines()) {
        lines.add(line);
      }
      assertEquals(new Exit.Code(0), child.await());
      return lines;
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour("PR11")
  void argumentsArriveAsTheyAre(Spawner spawner) throws Exception {
    String[] arguments = {"a b", "'quoted'", "\"double\"", "$HOME", "*", "", "\\", "grün ☃", "-n"};
    List<String> words = new ArrayList<>(List.of("printf", "%s|\\n"));
    words.addAll(List.of(arguments));

    List<String> seen = linesOf(Command.of(words), spawner);

    assertEquals(List.of(arguments).stream().map(each -> each + "|").toList(), seen);
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour("PR14")
  void withoutAnEnvironmentItIsInherited(Spawner spawner) throws Exception {
    List<String> seen = linesOf(Command.of("env"), spawner);

    assertTrue(seen.contains("PATH=" + System.getenv("PATH")), seen::toString);
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour("PR15")
  void aGivenEnvironmentIsAllTheChildSees(Spawner spawner) throws Exception {
    Command command = Command.of("env").env(Map.of("A", "1", "B", "two = 2"));

    assertEquals(List.of("A=1", "B=two = 2"), linesOf(command, spawner).stream().sorted().toList());
    assertEquals(
        List.of("A=1", "B=3", "C="),
        linesOf(command.env("B", "3").env("C", ""), spawner).stream().sorted().toList());
    assertEquals(List.of(), linesOf(command.env(Map.of()), spawner));
  }

  @InLoop
  @Test
  void aVariableMoreLeavesTheOthers() throws Exception {
    TreeSet<String> before = new TreeSet<>(linesOf(Command.of("env"), Spawner.POSIX));

    TreeSet<String> after =
        new TreeSet<>(linesOf(Command.of("env").env("COUV_X", "1"), Spawner.POSIX));

    assertTrue(after.remove("COUV_X=1"));
    assertEquals(before, after);
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void runsWhereItIsTold(Spawner spawner) throws Exception {
    Path dir = folder.toRealPath();

    assertEquals(List.of(dir.toString()), linesOf(Command.of("pwd").dir(dir), spawner));
  }

  @InLoop
  @Test
  void aProgramWithASlashIsSeenFromItsDirectory() throws Exception {
    script("tool", "#!/bin/sh\necho tool\n", "rwx------");

    assertEquals(List.of("tool"), linesOf(Command.of("./tool").dir(folder), Spawner.POSIX));
  }

  @Test
  @Behaviour({"PR10", "PR17", "PR18"})
  void whatNoProgramCouldBeToldIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Command.of(""));
    assertThrows(IllegalArgumentException.class, () -> Command.of(List.of()));
    assertThrows(IllegalArgumentException.class, () -> Command.of("a\0b"));
    var refused = assertThrows(IllegalArgumentException.class, () -> Command.of("a", "b", "c\0"));
    assertTrue(refused.getMessage().contains("argument 2"), refused.getMessage());
    assertThrows(NullPointerException.class, () -> Command.of("a", (String) null));
    Command command = Command.of("true");
    for (String name : List.of("", "=", "=A", "A=B", "A\0")) {
      assertThrows(IllegalArgumentException.class, () -> command.env(name, "x"));
      assertThrows(IllegalArgumentException.class, () -> command.env(Map.of(name, "x")));
    }
    assertThrows(IllegalArgumentException.class, () -> command.env("A", "x\0"));
    assertThrows(IllegalArgumentException.class, () -> command.stdio(-1, Stdio.pipe()));
    assertThrows(IllegalArgumentException.class, () -> command.stdio(256, Stdio.pipe()));
    assertThrows(IllegalArgumentException.class, () -> Stdio.fd(-1));
    assertThrows(IllegalArgumentException.class, () -> command.limit(-1));
  }

  @Test
  @Behaviour("PR09")
  void outsideOfACoroutineItIsRefused() {
    Command command = Command.of("no such program");
    assertThrows(IllegalStateException.class, command::start);
    assertThrows(IllegalStateException.class, command::run);
    assertThrows(IllegalStateException.class, command::output);
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour("PR21")
  void aMissingProgramIsReportedAsSuch(Spawner spawner) throws Exception {
    for (String name : List.of("no-such-program", "./no-such-program", "/no/such/program")) {
      var missing =
          assertThrows(
              NoSuchFileException.class,
              () -> Ways.start(Command.of(name).stdout(Stdio.pipe()), spawner));
      assertEquals(name, missing.getFile());
      assertInstanceOf(UvException.class, missing.getCause());
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void whatIsNoProgramIsReportedAsSuch(Spawner spawner) throws Exception {
    Path plain = script("plain", "echo hello", "rw-------");
    Path lost = script("lost", "#!/no/such/interpreter\n", "rwx------");
    assertThrows(
        AccessDeniedException.class, () -> Ways.start(Command.of(plain.toString()), spawner));
    assertThrows(
        AccessDeniedException.class, () -> Ways.start(Command.of(folder.toString()), spawner));
    assertThrows(NoSuchFileException.class, () -> Ways.start(Command.of(lost.toString()), spawner));
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void aScriptThatDoesNotSayWhoseItIsIsTheShells(Spawner spawner) throws Exception {
    Path script = script("script", "echo \"$0:$1:$2\"", "rwx------");
    Path empty = script("empty", "", "rwx------");
    Command command = Command.of("./script", "", "a b").dir(folder).stdout(Stdio.pipe());
    try (Child child = Ways.start(command, spawner)) {
      assertEquals("./script::a b", child.stdout().lines().next());
      assertEquals(new Exit.Code(0), child.await());
    }
    try (Child child = Ways.start(Command.of(empty.toString()), spawner)) {
      assertEquals(new Exit.Code(0), child.await());
    }
    assertTrue(Files.exists(script));
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void aMissingDirectoryIsReportedAsSuch(Spawner spawner) throws Exception {
    Path nowhere = folder.resolve("nowhere");
    Path file = script("file", "", "rw-------");
    var missing =
        assertThrows(
            NoSuchFileException.class, () -> Ways.start(Command.of("true").dir(nowhere), spawner));
    assertEquals(nowhere.toString(), missing.getFile());
    var wrong =
        assertThrows(UvException.class, () -> Ways.start(Command.of("true").dir(file), spawner));
    assertEquals("ENOTDIR", wrong.code());
  }

  @InLoop
  @Test
  void tooManyArgumentsAreReported() throws Exception {
    Command command = Command.of("true", "x".repeat(1 << 22));

    var failed = assertThrows(UvException.class, () -> command.run());

    assertEquals("E2BIG", failed.code());
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void exitCodesArrive(Spawner spawner) throws Exception {
    for (int code : new int[] {0, 1, 3, 127, 255}) {
      try (Child child = Ways.start(Command.of("sh", "-c", "exit " + code), spawner)) {
        Exit exit = child.await();
        assertEquals(new Exit.Code(code), exit);
        assertEquals(code == 0, exit.isSuccess());
      }
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(
      names = {"CHLD", "CONT", "URG", "WINCH", "STOP", "TSTP", "TTIN", "TTOU"},
      mode = EnumSource.Mode.EXCLUDE)
  @Behaviour("PR26")
  void everySignalThatEndsAChildIsTold(Signal signal) throws Exception {
    Exit exit = Command.of("sh", "-c", "ulimit -c 0; kill -" + signal.number() + " $$").run();

    assertEquals(new Exit.Signalled(signal), exit);
    assertFalse(exit.isSuccess());
  }

  @InLoop
  @Test
  @Behaviour({"PR13", "PR27"})
  void twoInARowHaveTheirNumbersBeforeTheyEnd() throws Exception {
    try (Child first = Command.of("cat").stdin(Stdio.pipe()).start();
        Child second = Command.of("cat").stdin(Stdio.pipe()).start()) {
      assertTrue(ProcessHandle.of(first.pid()).orElseThrow().isAlive());
      assertTrue(first.pid() != second.pid() && second.isRunning());
      first.stdin().close();
      second.stdin().close();
      assertEquals(new Exit.Code(0), first.await());
      assertEquals(new Exit.Code(0), second.await());
      assertFalse(first.isRunning());
    }
  }

  @InLoop
  @Test
  void aCommandCanBeRunAgainAndDoesNotChange() throws Exception {
    Command base = Command.of("sh", "-c", "echo $X");
    Command other = base.env("X", "1");

    assertEquals("1\n", other.output().stdoutText());
    assertEquals("\n", base.env(Map.of()).output().stdoutText());
    assertEquals("1\n", other.output().stdoutText());
  }

  @InLoop
  @Test
  void anotherUserAndGroupAreThereForWhoMay() throws Exception {
    Command command = Command.of("sh", "-c", "id -u; id -g").uid(65534).gid(65533);
    boolean mayDoIt = "root".equals(System.getProperty("user.name"));
    if (mayDoIt) {
      assertEquals("65534\n65533\n", command.output().stdoutText());
    } else {
      assertThrows(IOException.class, () -> command.output());
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void theChildHasNoDescriptorOfTheVmAndNoSignalOfItsOwn(Spawner spawner) throws Exception {
    Path file = script("open", "x", "rw-------");
    try (var open = Files.newInputStream(file)) {
      assertEquals('x', open.read());
      List<String> descriptors = linesOf(Command.of("ls", "/proc/self/fd"), spawner);
      List<String> signals =
          linesOf(Command.of("grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"), spawner);

      assertEquals(List.of("0", "1", "2", "3"), descriptors, "3 is the directory that it lists");
      // libuv sets the 31 classic signals back; what is above is as whoever started this VM left
      // it.
      assertEquals(List.of("SigBlk", "SigIgn"), signals.stream().map(CommandTest::name).toList());
      assertEquals(
          List.of(0L, 0L), signals.stream().map(line -> mask(line) & 0x7FFF_FFFFL).toList());
    }
  }

  private static String name(String line) {
    return line.substring(0, line.indexOf(':'));
  }

  private static long mask(String line) {
    return Long.parseUnsignedLong(line.substring(line.indexOf('\t') + 1), 16);
  }

  @InLoop
  @Test
  void whileItIsStartedOthersGoOn() throws Exception {
    Coroutine<Exit> waiting = Coroutine.spawn(() -> Command.of("sleep", "0.05").run());
    Coroutine.pause();
    assertEquals(new Exit.Code(0), Command.of("true").run());
    assertEquals(new Exit.Code(0), waiting.await());
  }

  private Path script(String name, String text, String permissions) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void nobodyIsNoUserAndNoGroup() {
    Command command = Command.of("true");
    assertThrows(IllegalArgumentException.class, () -> command.uid(-1));
    assertThrows(IllegalArgumentException.class, () -> command.gid(-1));
  }
}
