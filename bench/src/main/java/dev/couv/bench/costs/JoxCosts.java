// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import com.softwaremill.jox.Channel;

/// Jox on virtual threads: its channels. The rest is the JDK's.
final class JoxCosts extends ThreadCosts {
  @Override
  public void channel(int pairs, int operations) throws Exception {
    int each = operations / pairs;
    inThread(
        () ->
            together(
                pairs,
                () -> {
                  Channel<Integer> channel = Channel.newRendezvousChannel();
                  Thread sender = start(() -> repeat(each, () -> channel.send(1)));
                  repeat(each, channel::receive);
                  sender.join();
                }));
  }
}
