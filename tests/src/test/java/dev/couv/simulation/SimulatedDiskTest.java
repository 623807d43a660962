// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Disks of simulated hosts: what a crash leaves, and what else may happen to those who use them.
final class SimulatedDiskTest {
  private static final Path FILE = Path.of("/file");

  /// Does the first, crashes, and does the second in the next life.
  private static void acrossACrash(long seed, Action before, Action after) {
    AtomicInteger lives = new AtomicInteger();
    Simulation.run(
        seed,
        sim -> {
          sim.host(
              "db",
              () -> {
                if (lives.getAndIncrement() == 0) {
                  before.run();
                } else {
                  after.run();
                }
                Time.sleep(Duration.ofDays(1));
              });
          sim.client(
              "fate",
              () -> {
                Time.sleep(Duration.ofSeconds(1));
                sim.crash("db");
                sim.restart("db");
                Time.sleep(Duration.ofSeconds(1));
              });
        });
    assertEquals(2, lives.get());
  }

  private static void write(String text, boolean flushed) throws Exception {
    try (OpenFile file =
        Fs.open(
            FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      file.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
      if (flushed) {
        file.flush();
      }
    }
  }

  @Test
  void whatWasFlushedSurvives() {
    for (int seed = 0; seed < 50; seed++) {
      acrossACrash(
          seed,
          () -> {
            write("kept", true);
            write(" and perhaps", false);
          },
          () -> assertTrue(Fs.readString(FILE).startsWith("kept")));
    }
  }

  @Test
  void whatWasNotFlushedIsThereOrNotOrTorn() {
    Set<Integer> lengths = new HashSet<>();
    for (int seed = 0; seed < 60; seed++) {
      acrossACrash(
          seed,
          () -> write("x".repeat(2048), false),
          () -> lengths.add(Fs.exists(FILE) ? (int) Fs.info(FILE).size() : -1));
    }
    assertTrue(lengths.contains(-1), "never made: " + lengths);
    assertTrue(lengths.contains(0), "made, and empty: " + lengths);
    assertTrue(lengths.contains(2048), "whole: " + lengths);
    assertTrue(lengths.contains(512) || lengths.contains(1024), "torn: " + lengths);
  }

  @Test
  void aFileThatIsFlushedAndMovedIsTheOldOrTheNew() {
    Set<String> seen = new HashSet<>();
    for (int seed = 0; seed < 40; seed++) {
      acrossACrash(
          seed,
          () -> {
            write("old", true);
            Path next = Path.of("/next");
            try (OpenFile file =
                Fs.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
              file.write(ByteBuffer.wrap("new".getBytes(UTF_8)));
              file.flush();
            }
            Fs.move(next, FILE);
          },
          () -> seen.add(Fs.readString(FILE)));
    }
    assertEquals(Set.of("old", "new"), seen);
  }

  /// It is in the midst of a slow call when the power goes, and nothing protects it from that.
  @Test
  void aCrashEndsWhatIsProtected() {
    AtomicInteger lives = new AtomicInteger();
    Simulation.run(
        1,
        sim -> {
          sim.host(
              "db",
              () -> {
                if (lives.getAndIncrement() > 0) {
                  assertFalse(Fs.exists(FILE));
                  assertFalse(Fs.exists(Path.of("/left")));
                  return;
                }
                try {
                  Coroutine.protect(() -> Fs.makeDir(FILE));
                } finally {
                  assertThrows(UvException.class, () -> Fs.makeDirNow(Path.of("/left")));
                }
              });
          sim.disk("db", DiskWeather.CALM.withLatency(Duration.ofSeconds(30)));
          sim.client(
              "fate",
              () -> {
                Time.sleep(Duration.ofSeconds(1));
                sim.crash("db");
                sim.restart("db");
                Time.sleep(Duration.ofMinutes(10));
              });
        });
    assertEquals(2, lives.get());
  }

  private static void alone(DiskWeather weather, Action body) {
    Simulation.run(
        1,
        sim -> {
          sim.client("db", body);
          sim.disk("db", weather);
        });
  }

  @Test
  void aFullDiskSaysSo() {
    alone(
        DiskWeather.CALM.withCapacity(1000),
        () -> {
          Fs.writeBytes(FILE, new byte[900]);
          UvException full =
              assertThrows(
                  UvException.class, () -> Fs.writeBytes(Path.of("/other"), new byte[200]));
          assertEquals("ENOSPC", full.code());
          Fs.remove(FILE);
          Fs.writeBytes(Path.of("/other"), new byte[200]);
        });
  }

  @Test
  void callsFailAndStall() {
    alone(
        DiskWeather.CALM.withErrors(1),
        () -> assertEquals("EIO", assertThrows(UvException.class, () -> Fs.makeDir(FILE)).code()));
    Simulation.run(
        1,
        sim -> {
          sim.client(
              "db",
              () -> {
                Fs.makeDir(FILE);
                assertTrue(sim.elapsed().toSeconds() >= 30);
              });
          sim.disk("db", DiskWeather.CALM.withStalls(1, Duration.ofSeconds(30)));
        });
  }

  @Test
  void aMisdirectedWriteGoesElsewhere() {
    Simulation.run(
        1,
        sim ->
            sim.client(
                "db",
                () -> {
                  Fs.writeBytes(FILE, new byte[100_000]);
                  sim.disk("db", DiskWeather.CALM.withMisdirected(1));
                  try (OpenFile file = Fs.open(FILE, StandardOpenOption.WRITE)) {
                    file.write(ByteBuffer.wrap(new byte[] {1}), 99_999);
                  }
                  byte[] there = Fs.readBytes(FILE);
                  assertEquals(0, there[99_999]);
                  int found = 0;
                  for (byte each : there) {
                    found += each;
                  }
                  assertEquals(1, found);
                }));
  }

  @Test
  void eachHostHasADiskOfItsOwn() {
    Simulation.run(
        1,
        sim -> {
          sim.client("one", () -> Fs.writeString(FILE, "mine"));
          sim.client(
              "other",
              () -> {
                Time.sleep(Duration.ofSeconds(1));
                assertFalse(Fs.exists(FILE));
              });
        });
  }
}
