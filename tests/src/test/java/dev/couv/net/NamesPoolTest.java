// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.uv.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lookups that hang do not keep file work waiting, and the program says how many run at once.
@Tag("jvm")
final class NamesPoolTest {
  /// A resolver that tells of each call by a byte, and waits until the file at `GATE` is there.
  private static final String RESOLVER =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <netdb.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <unistd.h>

      int getaddrinfo(const char* node, const char* service, const struct addrinfo* hints,
                      struct addrinfo** res) {
        int (*real)(const char*, const char*, const struct addrinfo*, struct addrinfo**) =
            dlsym(RTLD_NEXT, "getaddrinfo");
        char entered[1000];
        snprintf(entered, sizeof entered, "%s.entered", getenv("GATE"));
        int file = open(entered, O_WRONLY | O_APPEND);
        if (write(file, "x", 1) != 1) abort();
        close(file);
        while (access(getenv("GATE"), F_OK) != 0) usleep(1000);
        return real(node, service, hints, res);
      }
      """;

  @ParameterizedTest
  @ValueSource(ints = {4, 10})
  void lookupsTakeHalfOfTheThreadsAndFilesTheOthers(int threads, @TempDir Path folder)
      throws Exception {
    Path source = Files.writeString(folder.resolve("resolver.c"), RESOLVER);
    String library = folder.resolve("resolver.so").toString();
    try (Program compiler =
        Program.start("cc", "-shared", "-fPIC", "-o", library, source.toString(), "-ldl")) {
      assertEquals("0\n", compiler.end());
    }

    ChildJvm.Result result =
        new ChildJvm(GatedLookupsProgram.class)
            .option("-Dthreads=" + threads)
            .option("-Dcouv.engine=hand-over") // whose log line is not asked for
            .variable("LD_PRELOAD", library)
            .variable("GATE", folder.resolve("gate").toString())
            .run();

    assertEquals(
        List.of("files were read while " + threads / 2 + " lookups ran", "20 lookups ran"),
        result.lines());
    assertEquals(0, result.status());
  }
}
