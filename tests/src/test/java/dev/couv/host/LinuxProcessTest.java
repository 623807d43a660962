// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.info.Info;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinuxProcessTest {
  @Test
  void aContainerLimitsTheMemory(@TempDir Path directory) throws Exception {
    Path groups = Files.writeString(directory.resolve("cgroup"), "1:cpu:/x\n0::/outer/inner\n");
    Path inner = Files.createDirectories(directory.resolve("all/outer/inner"));
    Path all = directory.resolve("all");
    assertEquals(Long.MAX_VALUE, LinuxProcess.memoryLimit(groups, all));
    Files.writeString(inner.resolve("memory.max"), "max\n");
    assertEquals(Long.MAX_VALUE, LinuxProcess.memoryLimit(groups, all));
    Files.writeString(inner.getParent().resolve("memory.max"), "1048576\n");
    assertEquals(1 << 20, LinuxProcess.memoryLimit(groups, all));
    Files.writeString(inner.resolve("memory.max"), "4096\n");
    assertEquals(4096, LinuxProcess.memoryLimit(groups, all));
    assertEquals(Long.MAX_VALUE, LinuxProcess.memoryLimit(directory.resolve("none"), all));
    assertTrue(LinuxProcess.memoryLimit() >= Info.memory().limitBytes());
  }
}
