// SPDX-License-Identifier: Apache-2.0
package dev.couv.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the library is unpacked to, if it must be a file: nobody else may have a say in it.
@Tag("loop-scheduled-engine")
class OwnDirectoryTest {
  private static final byte[] LIBRARY = {1, 2, 3};

  @TempDir private Path parent;

  @Test
  void onlyWeCanEnterItAndItsNameIsNeverTheSame() throws Exception {
    Path one = new OwnDirectory(parent).write(LIBRARY);
    Path other = new OwnDirectory(parent).write(LIBRARY);

    assertThat(one).hasBinaryContent(LIBRARY);
    assertThat(one.getParent().getParent()).isEqualTo(parent);
    assertThat(one.getParent()).isNotEqualTo(other.getParent());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one.getParent())))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
        .isEqualTo("rwx------");
  }

  @Test
  void nothingIsLeftOfIt() throws Exception {
    OwnDirectory.remove(new OwnDirectory(parent).write(LIBRARY));

    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void whatIsGoneAlreadyIsNoFailure() throws Exception {
    Path file = new OwnDirectory(parent).write(LIBRARY);
    OwnDirectory.remove(file);
    OwnDirectory.remove(file);

    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void whereOthersMayRenameItIsRefused() throws Exception {
    Path open = Files.createDirectory(parent.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertRefused(open, "others may rename what is in " + open.toRealPath());
  }

  @Test
  void whatIsBelowSuchADirectoryIsRefusedToo() throws Exception {
    Path open = Files.createDirectory(parent.resolve("open"));
    Path closed = Files.createDirectory(open.resolve("closed"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertRefused(closed, "others may rename what is in " + open.toRealPath());
  }

  @Test
  void aLinkIsJudgedByWhereItLeadsTo() throws Exception {
    Path open = Files.createDirectory(parent.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path link = Files.createSymbolicLink(parent.resolve("link"), open);

    assertRefused(link, "others may rename what is in " + open.toRealPath());
  }

  @Test
  void theUsualOneForTemporaryFilesIsAccepted() throws Exception {
    Path sticky = Files.createDirectory(parent.resolve("tmp"));
    Files.setAttribute(sticky, "unix:mode", 01777);

    OwnDirectory.remove(new OwnDirectory(sticky).write(LIBRARY));

    assertThat(sticky).isEmptyDirectory();
  }

  /// Only root can make such a directory; who is not can write into none of them.
  @Test
  void theDirectoryOfAnotherUserIsRefused() throws Exception {
    Path theirs = Files.createDirectory(parent.resolve("theirs"));
    if ((int) Files.getAttribute(theirs, "unix:uid") != 0) return;
    Files.setAttribute(theirs, "unix:uid", 65534);

    assertRefused(theirs, theirs.toRealPath() + " belongs to another user");
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    Path missing = parent.resolve("missing");

    assertRefused(missing, "no such directory");
  }

  @Test
  void aFileIsNoDirectory() throws Exception {
    assertRefused(Files.createFile(parent.resolve("file")), "Not a directory");
  }

  private static void assertRefused(Path directory, String why) {
    assertThatThrownBy(() -> new OwnDirectory(directory).write(LIBRARY))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "cannot be unpacked in "
                + directory
                + ": "
                + why
                + "; -Dcouv.libuv.directory=DIR names another directory");
    if (Files.isDirectory(directory))
      assertThat(directory).isDirectoryNotContaining("glob:**couv-*");
  }
}
