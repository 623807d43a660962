// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Addresses that nobody can guess, and who is told at which.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class DirectoryTest {
  private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private final Directory directory = new Directory();

  @Test
  void noWordIsGivenTwice() {
    Set<String> words = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      assertTrue(words.add(directory.word()));
    }
  }

  /// Whoever is called sees one, and is not to know the next.
  @Test
  void fromOneWordTheNextIsNotFound() {
    for (int i = 0; i < 200; i++) {
      Set<String> guesses = guessesAfter(directory.word());

      assertFalse(guesses.contains(directory.word()));
    }
  }

  /// The guesses are good for those who use a generator that only looks like chance.
  @Test
  void aGeneratorThatCanBeGuessedIs() {
    SplittableRandom random = new SplittableRandom(7);
    Set<String> guesses = guessesAfter(Long.toString(random.nextLong() >>> 1, 36));

    assertTrue(guesses.contains(Long.toString(random.nextLong() >>> 1, 36)));
  }

  /// What a `SplittableRandom` would say next, however a word is made of its numbers.
  private static Set<String> guessesAfter(String word) {
    Set<String> guesses = new HashSet<>();
    for (int radix : new int[] {32, 36}) {
      long read = 0;
      for (int i = 0; i < word.length(); i++) {
        read = read * radix + LETTERS.indexOf(word.charAt(i));
      }
      long turned = 0;
      for (int i = word.length() - 1; i >= 0; i--) {
        turned = turned * radix + LETTERS.indexOf(word.charAt(i));
      }
      for (long seen : new long[] {read, read << 1, read << 1 | 1, turned}) {
        long next = mixed(unmixed(seen) + GAMMA);
        guesses.add(Long.toString(next >>> 1, 36));
        guesses.add(letters(next));
      }
    }
    return guesses;
  }

  private static String letters(long number) {
    StringBuilder text = new StringBuilder();
    for (int shift = 0; shift < Long.SIZE; shift += 5) {
      text.append(LETTERS.charAt((int) (number >>> shift) & 31));
    }
    return text.toString();
  }

  private static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private static long unmixed(long number) {
    long z = unshifted(number, 31) * inverse(0x94d049bb133111ebL);
    z = unshifted(z, 27) * inverse(0xbf58476d1ce4e5b9L);
    return unshifted(z, 30);
  }

  private static long unshifted(long number, int by) {
    return number ^ (number >>> by) ^ (by * 2 < Long.SIZE ? number >>> by * 2 : 0);
  }

  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 6; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  @Test
  void whoHasLeftIsToldNothing() {
    List<String> told = new ArrayList<>();
    String address = directory.enter(packet -> told.add(packet.subject()));
    String word = directory.word();
    String other = directory.enter(word, packet -> told.add(packet.subject()));
    directory.receive(packet(address + ".below"));
    directory.receive(packet(other));
    directory.leave(address);
    directory.leaveWord(word);

    directory.receive(packet(address));
    directory.receive(packet(other));
    directory.receive(packet(directory.inbox()));

    assertEquals(List.of(address + ".below", other), told);
    assertEquals(3, directory.dropped());
  }

  private static Packet packet(String subject) {
    return Packet.of(subject, null, new byte[0]);
  }
}
