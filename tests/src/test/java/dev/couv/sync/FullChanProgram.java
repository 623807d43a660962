// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Loop;

/// Sends until there is no memory for more values, and receives all of them.
final class FullChanProgram {
  private static final Integer FIRST = 1;
  private static final Integer OTHER = 2;

  private FullChanProgram() {}

  public static void main(String[] args) throws Exception {
    Loop.run(FullChanProgram::run);
  }

  private static void run() {
    Chan<Integer> channel = Chan.create(Integer.MAX_VALUE - 1);
    channel.send(FIRST);
    long sent = 1;
    int refused = 0;
    while (refused < 2) { // the second time as well
      try {
        channel.send(OTHER);
        sent++;
      } catch (OutOfMemoryError full) {
        refused++;
      }
    }
    Integer first = channel.receive();
    long received = 1;
    while (channel.tryReceive() != null) {
      received++;
    }
    System.out.println("refused");
    System.out.println(first.equals(FIRST) ? "the first is first" : "another is first");
    System.out.println(received == sent ? "as many as were sent" : received + " of " + sent);
    channel.send(OTHER);
    System.out.println(channel.receive().equals(OTHER) ? "it goes on" : "it does not go on");
  }
}
