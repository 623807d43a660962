// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Memory;
import dev.couv.uv.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whose memory files are read into and written from.
class FileBuffersTest {
  @TempDir Path dir;

  private OpenFile open() throws Exception {
    Path path = Files.writeString(dir.resolve("file"), "0123456789");
    return Fs.openNow(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static ByteBuffer in(Arena arena) {
    return arena.allocate(4).asByteBuffer();
  }

  /// The addresses that the system was given, while it is open.
  private static NativeCalls.Replacement noting(String call, List<Long> addresses)
      throws Exception {
    interface Noting {
      void note(long loop, long request, int file, long buffers);
    }
    Noting noting = (loop, request, file, buffers) -> addresses.add(Memory.getLong(buffers));
    var type = MethodType.methodType(void.class, long.class, long.class, int.class, long.class);
    var note = MethodHandles.lookup().findVirtual(Noting.class, "note", type).bindTo(noting);
    return NativeCalls.replace(call, MethodHandles.foldArguments(NativeCalls.target(call), note));
  }

  /// The system may be in the middle of it when another thread closes the arena.
  @ParameterizedTest
  @EnumSource
  void theMemoryOfASharedArenaIsNotHandedOut(BothWays way) throws Exception {
    List<Long> addresses = new ArrayList<>();
    try (Arena shared = Arena.ofShared()) {
      ByteBuffer buffer = in(shared);
      way.run(
          () -> {
            try (OpenFile file = open();
                var _ = noting("uv_fs_read", addresses);
                var _ = noting("uv_fs_write", addresses)) {
              way.file(file, "read", buffer, 3L);
              assertEquals("3456", UTF_8.decode(buffer.flip()).toString());
              buffer.flip();
              way.file(file, "write", buffer, 0L);
            }
          });

      assertEquals(2, addresses.size());
      assertTrue(addresses.stream().noneMatch(each -> each == Memory.address(buffer)));
    }
    assertEquals("3456456789", Files.readString(dir.resolve("file")));
  }

  @ParameterizedTest
  @EnumSource
  void aBufferOfAClosedOrForeignArenaIsRefused(BothWays way) throws Exception {
    Arena closed = Arena.ofShared();
    ByteBuffer gone = in(closed);
    closed.close();
    ByteBuffer[] made = new ByteBuffer[1];
    Thread.ofPlatform().start(() -> made[0] = in(Arena.ofConfined())).join();
    ByteBuffer foreign = made[0];
    way.run(
        () -> {
          try (OpenFile file = open()) {
            ByteBuffer first = ByteBuffer.wrap("first".getBytes(UTF_8));
            assertThrows(IllegalStateException.class, () -> way.file(file, "read", gone, 0L));
            assertThrows(WrongThreadException.class, () -> way.file(file, "read", foreign, 0L));
            assertThrows(IllegalStateException.class, () -> way.file(file, "read", gone));
            assertThrows(WrongThreadException.class, () -> way.file(file, "read", foreign));
            ByteBuffer[] both = {first, foreign};
            assertThrows(WrongThreadException.class, () -> way.file(file, "write", both, 0L));
            ByteBuffer[] other = {first, gone};
            assertThrows(IllegalStateException.class, () -> way.file(file, "write", other, 0L));
            assertEquals(0, first.position());
          }
        });

    assertEquals("0123456789", Files.readString(dir.resolve("file")));
  }
}
