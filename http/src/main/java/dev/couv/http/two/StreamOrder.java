// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/// Sees to it that streams begin in the order of their numbers (RFC 9113, 5.1.1): a number that was passed over is used up. Netty
/// takes such a stream for one that has been there and was closed.
///
/// It reads nothing but the heads of frames, as they come. Of numbers that were passed over it remembers a hundred stretches: who
/// leaves out more is judged by Netty alone.
final class StreamOrder {
  private static final int PREFACE = 24;
  private static final int HEAD = 9;
  private static final int TYPE_OF_HEADERS = 1;
  private static final int MOST = 100;

  /// What is left of the preface, or of a frame.
  private int skip = PREFACE;

  private final ByteBuffer head = ByteBuffer.allocate(HEAD);
  private int highest = -1;

  /// First and last of the numbers that were passed over.
  private final TreeMap<Integer, Integer> passed = new TreeMap<>();

  /// Looks at what came, and takes nothing of it: false if a stream begins there whose number was passed over.
  boolean accepts(ByteBuffer bytes) {
    int at = bytes.position();
    int end = bytes.limit();
    while (at < end) {
      if (skip > 0) {
        int count = Math.min(skip, end - at);
        skip -= count;
        at += count;
        continue;
      }
      head.put(bytes.get(at++));
      if (!head.hasRemaining()) {
        head.clear();
        skip = head.getInt(0) >>> 8;
        if (head.get(3) == TYPE_OF_HEADERS && !mayBegin(head.getInt(5) & Integer.MAX_VALUE)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean mayBegin(int id) {
    if (id <= highest) {
      Map.Entry<Integer, Integer> below = passed.floorEntry(id);
      return below == null || below.getValue() < id;
    }
    if (id > highest + 2) {
      passed.put(highest + 1, id - 1);
      if (passed.size() > MOST) {
        passed.pollFirstEntry();
      }
    }
    highest = id;
    return true;
  }
}
