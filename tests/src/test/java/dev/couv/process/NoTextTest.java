// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.host.Inside;
import dev.couv.host.Spawner;
import dev.couv.info.Info;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.UvEnv;
import java.io.ByteArrayOutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Names and values that are no text: the system keeps them as bytes, and so do we.
final class NoTextTest {
  private static final String NAME = "COUV_TEST_ODD";

  /// Latin-1, which is no UTF-8.
  private static final byte[] ODD = "caf\u00e9".getBytes(ISO_8859_1);

  @TempDir private Path folder;
  private Path odd;
  private Path directoryBefore;
  private byte[] pathBefore;

  @BeforeEach
  void makeTheDirectory() throws Exception {
    directoryBefore = Dir.get();
    pathBefore = Inside.path();
    odd = Files.createDirectory(folder.toRealPath().resolve(PathBytes.path(ODD)));
  }

  @AfterEach
  void putBack() throws Exception {
    Env.unset(NAME);
    setenv("PATH", pathBefore);
    Dir.set(directoryBefore);
  }

  private static void setenv(String name, byte[] value) {
    long nameAt = Memory.newString(name);
    long valueAt = PathBytes.allocate(value);
    assertEquals(0, UvEnv.uv_os_setenv(nameAt, valueAt));
    Memory.free(nameAt);
    Memory.free(valueAt);
  }

  private static byte[] outputOf(Command command, Spawner spawner) throws Exception {
    return Loop.run(
        () -> {
          try (Child child = Ways.start(command.stdout(Stdio.pipe()), spawner)) {
            var bytes = new ByteArrayOutputStream();
            child.stdout().input().transferTo(bytes);
            assertEquals(new Exit.Code(0), child.await());
            return bytes.toByteArray();
          }
        });
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  @ParameterizedTest
  @EnumSource
  void oneVariableMoreLeavesTheOthersAsTheyAre(Spawner spawner) throws Exception {
    setenv(NAME, ODD);
    Command command = Command.of("sh", "-c", "printf %s \"$" + NAME + "\"");

    assertEquals(text(ODD), text(outputOf(command, spawner)));
    assertEquals(text(ODD), text(outputOf(command.env("X", "1"), spawner)));
    assertEquals("new", text(outputOf(command.env(NAME, "new"), spawner)));
    assertEquals("caf\uFFFD", Env.get(NAME));
    assertEquals("caf\uFFFD", Env.all().get(NAME));
  }

  @ParameterizedTest
  @EnumSource
  void aChildRunsInADirectoryWhoseNameIsNoText(Spawner spawner) throws Exception {
    Command pwd = Command.of("pwd").env(Map.of());

    assertEquals(text(PathBytes.bytes(odd)) + "\n", text(outputOf(pwd.dir(odd), spawner)));
    Dir.set(odd.getParent());
    assertEquals(
        text(PathBytes.bytes(odd)) + "\n", text(outputOf(pwd.dir(odd.getFileName()), spawner)));
  }

  @Test
  void theDirectoryOfTheProcessMayBeSuchAOne() throws Exception {
    Dir.set(odd);
    assertEquals(odd, Dir.get());
    Dir.set(Path.of(""));
    assertEquals(odd, Dir.get());
    Dir.set(odd.getParent());
    Dir.set(odd.getFileName());
    assertEquals(odd, Dir.get());
  }

  @ParameterizedTest
  @EnumSource
  void aProgramIsFoundAndRunInSuchAOne(Spawner spawner) throws Exception {
    program(odd.resolve("couv-hello"), "#!/bin/sh\necho hello\n");
    program(odd.resolve("couv-plain"), "echo \"plain $0\"\n"); // the shell's, without saying so
    var path = new ByteArrayOutputStream();
    path.writeBytes("/no/such:".getBytes(UTF_8));
    path.writeBytes(PathBytes.bytes(odd));
    path.write(':');
    path.writeBytes(pathBefore);
    setenv("PATH", path.toByteArray());

    assertEquals("hello\n", text(outputOf(Command.of("couv-hello"), spawner)));
    assertEquals(
        "plain " + text(PathBytes.bytes(odd)) + "/couv-plain\n",
        text(outputOf(Command.of("couv-plain"), spawner)));
  }

  /// Java itself does not follow the process to another directory.
  @ParameterizedTest
  @EnumSource
  void relativePlacesAreThoseOfThePresentDirectory(Spawner spawner) throws Exception {
    Files.createDirectory(odd.resolve("bin"));
    program(odd.resolve("bin/couv-hello"), "#!/bin/sh\necho hello\n");
    Dir.set(odd);
    setenv("PATH", ("bin:" + text(pathBefore)).getBytes(ISO_8859_1));

    assertEquals("hello\n", text(outputOf(Command.of("couv-hello"), spawner)));
    assertEquals("hello\n", text(outputOf(Command.of("bin/couv-hello"), spawner)));
    assertEquals(
        "hello\n", text(outputOf(Command.of("./couv-hello").dir(Path.of("bin")), spawner)));
  }

  @Test
  void aDirectoryOfAnotherFileSystemIsRefused() throws Exception {
    Path archive = folder.resolve("archive.zip");
    try (var zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      assertThrows(IllegalArgumentException.class, () -> Dir.set(zip.getPath("/")));
      assertThrows(IllegalArgumentException.class, () -> Command.of("true").dir(zip.getPath("/")));
    }
  }

  private static void program(Path file, String text) throws Exception {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// In the C locale no name with a byte above 127 is text to the JDK.
  @Test
  @Tag("jvm")
  @Tag("loop-scheduled-engine")
  void inTheCLocaleAllIsTheSame() throws Exception {
    program(odd.resolve("couv-hello"), "#!/bin/sh\necho hello\n");
    List<String> words = new ArrayList<>(List.of("sh", "-c"));
    words.add("cd \"$1\"/caf* && shift && HOME=$PWD TMPDIR=$PWD PATH=$PWD:$PATH exec \"$@\"");
    words.addAll(List.of("sh", odd.getParent().toString()));
    words.addAll(FreshJvm.command(Program.class));

    Output output = Loop.run(() -> Command.of(words).env("LC_ALL", "C").output());

    assertEquals("true true true hello\n", output.stdoutText(), output::stderrText);
  }

  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      Loop.run(
          () -> {
            Path here = Dir.get();
            System.out.print(Files.exists(here.resolve("couv-hello")) + " ");
            System.out.print(Info.homeDir().equals(here) + " ");
            System.out.print(Info.tempDir().equals(here) + " ");
            System.out.print(Command.of("couv-hello").output().stdoutText());
          });
    }
  }
}
