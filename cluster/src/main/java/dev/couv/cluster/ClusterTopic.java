// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Link;
import dev.couv.cluster.link.Packet;
import java.lang.System.Logger.Level;

/// A subject that anybody in the cluster publishes to, and that everybody hears who has
/// [subscribed][#subscribe]. Nothing is kept for those who are not there.
///
/// Values of one publisher come in their order. One that is published while a receiver has no
/// server is lost for it, and [TopicReceiver#gaps] tells: what must not be lost belongs into a
/// [WorkQueue] or a key.
public final class ClusterTopic<T> {
  private final Peer peer;
  private final String subject;
  private final Coding<T> coding;

  ClusterTopic(Peer peer, String name, Codec<T> codec) {
    this.peer = peer;
    this.subject = peer.subjects().of("topic", name);
    this.coding = peer.coding(codec, "topic", name);
  }

  /// Tells everybody. Returns when the value is on its way, and waits while too much is.
  ///
  /// @throws CodecException if the value cannot be encoded
  public void publish(T value) throws Exception {
    peer.link().publish(Packet.of(subject, null, coding.encode(value)));
  }

  /// Hears everything that is published from when this returns. Bytes that are no value are logged,
  /// and passed over.
  public TopicReceiver<T> subscribe() throws Exception {
    Link link = peer.link();
    TopicReceiver<T> receiver = new TopicReceiver<>(peer, coding.toString(), false);
    receiver.endBy(link.hear(subject, null, packet -> heard(packet, receiver))::end);
    try {
      link.flush();
    } catch (Throwable failed) {
      receiver.close();
      throw failed;
    }
    return receiver;
  }

  private void heard(Packet packet, TopicReceiver<T> receiver) {
    if (packet.status() == 0) {
      try {
        receiver.accept(coding.decode(packet.data()));
      } catch (CodecException wrong) {
        Peer.LOG.log(Level.WARNING, "passed over", wrong);
      }
    }
  }

  @Override
  public String toString() {
    return coding.toString();
  }
}
