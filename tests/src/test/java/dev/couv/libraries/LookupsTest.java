// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.FreshJvm;
import java.net.spi.InetAddressResolverProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where names are looked up: by the JDK, which holds the thread meanwhile, in the coroutine that calls the library.
@Tag("jvm")
class LookupsTest {
  @TempDir private Path folder;

  @Test
  void allButOneLookUpInTheCoroutine() throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(InetAddressResolverProvider.class.getName()),
        TellingResolver.class.getName());
    List<String> command =
        FreshJvm.command(LookupsProgram.class).stream()
            .map(
                word ->
                    word.equals(System.getProperty("java.class.path")) ? word + ":" + folder : word)
            .toList();

    assertEquals(
        List.of(
            "send.test: main",
            "send-async.test: beside",
            "okhttp.test: main",
            "jedis.test: main",
            "postgres.test: main"),
        FreshJvm.run(command).stream().distinct().toList());
  }
}
