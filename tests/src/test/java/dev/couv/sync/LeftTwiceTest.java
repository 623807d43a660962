// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Somebody leaves a channel between the moment that he is refused or met, on another thread, and the one that he is told of it, and
/// his loop is closed by then.
class LeftTwiceTest {
  private final Passage<String> passage =
      new Passage<>(ChanOptions.of(0).withShared(true), null, null);

  private final List<CoroutineParty<String>> parties = new ArrayList<>();

  /// One who waits there, and whose loop is closed when this returns; he leaves when the others have been told under the lock.
  private CoroutineParty<String> waiting(Runnable meanwhile) throws Exception {
    Loop.run(
        () -> {
          EventLoop loop = Suspension.loop("test");
          var party =
              new CoroutineParty<>(passage, new Access(null), Endpoint.IN, (String) null, loop);
          parties.add(party);
          party.start(null);
          meanwhile.run();
          party.cancel();
        });
    return parties.getLast();
  }

  @Test
  void closingTellsTheOthersAllTheSame() throws Exception {
    CoroutineParty<String> left = waiting(() -> passage.close(" was closed", null, null));

    left.tell(null);

    assertEquals(Party.State.LEFT, left.state);
  }

  @Test
  void whatHeGotIsGivenBackOnce() throws Exception {
    CoroutineParty<String> left =
        waiting(
            () -> passage.attempt(new Party<>(new Access(null), Endpoint.OUT, "gift", null), null));

    left.tell(null);

    assertEquals(1, passage.stats().values());
  }
}
