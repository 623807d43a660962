// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.cluster.ClusterState;
import dev.couv.cluster.UnknownOutcomeException;
import dev.couv.sync.Promise;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/// Questions to servers, each answered once. Confined to the loop.
final class Asking {
  private static final byte[] NOTHING = {};
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final NatsLink link;
  private final Map<String, Promise<Packet>> open = new HashMap<>();

  Asking(NatsLink link) {
    this.link = link;
  }

  /// Waits so long for the answer.
  ///
  /// @throws TimeoutException if there is none: the question may have been lost, or the answer
  Packet ask(String subject, Map<String, String> headers, byte[] data, Duration patience)
      throws Exception {
    return answer(address -> link.publish(Packet.of(subject, address, headers, data)), patience);
  }

  /// Waits until a message to itself has come back: then the server has everything that was sent
  /// before. A server that is lost meanwhile is not asked for ever.
  void echo() throws Exception {
    long limit = System.nanoTime() + link.options().answerTimeout().toNanos();
    while (true) {
      try {
        answer(address -> link.send(Packet.of(address, null, NOTHING)), PATIENCE);
        return;
      } catch (TimeoutException late) {
        if (System.nanoTime() - limit > 0) {
          throw new UnknownOutcomeException("the server did not answer", late);
        }
      }
    }
  }

  /// Asks where the answer is to go to.
  private interface Question {
    void ask(String address) throws Exception;
  }

  private Packet answer(Question question, Duration patience) throws Exception {
    if (link.state() == ClusterState.CLOSED) {
      throw over();
    }
    Promise<Packet> answer = Promise.outside(() -> {});
    String address = link.directory().enter(answer::complete);
    open.put(address, answer);
    try {
      question.ask(address);
      return Time.timeout(patience, answer::await);
    } finally {
      open.remove(address);
      link.directory().leave(address);
      answer.cancel();
    }
  }

  /// The connection is over: nobody will answer.
  void end() {
    Map.copyOf(open).values().forEach(each -> each.fail(over()));
  }

  private static ClusterException over() {
    return new ClusterException("the connection to the cluster is over");
  }
}
