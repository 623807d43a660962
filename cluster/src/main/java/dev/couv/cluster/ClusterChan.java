// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Link;
import dev.couv.cluster.link.Packet;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// A channel between processes, with the meaning of `Chan.named`: each value goes to one receiver,
/// of whatever process, and sender and receiver wait for each other. A value is on no server and in
/// no buffer.
///
/// ## What holds when something dies
///
/// A value arrives at most once. Its sender is told one of three things: that a receiver has it
/// ([#send] returns), that nobody has it (it throws anything else), or that it is unknown
/// ([UnknownOutcomeException]): the value was given to a receiver, and then neither that nor the
/// network said what became of it.
public final class ClusterChan<T> implements Iterable<T>, AutoCloseable {
  private final Peer peer;
  private final String name;
  private final Coding<T> coding;
  private final String address;
  private final ChanSender sender;
  private final ChanReceiver<T> receiver;
  private final Link.Hearing hearing;
  private final Part part = new Both();
  private boolean closed;

  private ClusterChan(Peer peer, String kind, String name, Codec<T> codec, int more)
      throws Exception {
    Link link = peer.link();
    String subject = peer.subjects().of(kind, name);
    this.peer = peer;
    this.name = name;
    String title = (kind.equals("chan") ? "channel" : kind) + " \"" + name + '"';
    this.coding = new Coding<>(codec, title, peer.largest() + more);
    this.address = link.directory().enter(this::told);
    this.sender = new ChanSender(peer, subject, address, coding.toString());
    this.receiver = new ChanReceiver<>(peer, subject, address, coding, this::answer);
    this.hearing = link.hear(subject, null, this::heard);
  }

  static <T> ClusterChan<T> open(Peer peer, String kind, String name, Codec<T> codec)
      throws Exception {
    return open(peer, kind, name, codec, 0);
  }

  /// @param more bytes that its values have on top of those of a user
  static <T> ClusterChan<T> open(Peer peer, String kind, String name, Codec<T> codec, int more)
      throws Exception {
    ClusterChan<T> chan = new ClusterChan<>(peer, kind, name, codec, more);
    peer.add(chan.part);
    try {
      peer.link().flush(); // what is offered from now on is heard
    } catch (Throwable failed) {
      chan.close();
      throw failed;
    }
    return chan;
  }

  // ---- what others say

  /// To all.
  private void heard(Packet packet) {
    Frame frame = Frame.read(packet.data());
    String from = packet.reply();
    if (frame == null || from == null || !Subjects.isInbox(from)) {
      return; // not from one of us
    }
    switch (frame.word()) {
      case OFFER -> receiver.offered(from);
      case WANT -> sender.wanted(from);
      default -> {}
    }
  }

  /// To this one alone: below the address is a word that it has given out.
  private void told(Packet packet) {
    String word =
        packet.subject().length() > address.length()
            ? packet.subject().substring(address.length() + 1)
            : "";
    if (packet.status() != 0) {
      sender.unheard(word);
      receiver.unheard(word);
      return;
    }
    Frame frame = Frame.read(packet.data());
    String from = packet.reply();
    if (frame == null) {
      return;
    }
    if (from != null && Subjects.isInbox(from)) {
      asked(frame, word, from);
    } else {
      answered(frame, word);
    }
  }

  private void asked(Frame frame, String word, String from) {
    switch (frame.word()) {
      case OFFER -> receiver.offered(from);
      case CLAIM -> sender.claimed(from, frame.count());
      case VALUE -> receiver.given(word, from, frame.body());
      default -> {}
    }
  }

  private void answered(Frame frame, String word) {
    switch (frame.word()) {
      case NONE -> receiver.refused(word, frame.count());
      case TAKEN -> sender.taken(word);
      case REFUSED -> sender.returned(word);
      case GARBLED -> sender.garbled(word, frame.body());
      default -> {}
    }
  }

  /// To whoever gave a value. To this channel itself at once: it may be closed before that had come
  /// back, and would not know what has become of its own value.
  private void answer(String giver, Frame.Word word) {
    String own = address + '.';
    if (giver.startsWith(own)) {
      answered(new Frame(word, 0, new byte[0]), giver.substring(own.length()));
    } else {
      peer.say(giver, Frame.of(word), null);
    }
  }

  // ---- sending and receiving

  /// Waits until a receiver has the value. A cancelled wait withdraws it, unless it was given to a
  /// receiver before: then it is unknown whether that has it.
  ///
  /// @throws UnknownOutcomeException if a receiver was given it, and said nothing: it may have it
  /// @throws CodecException if the value cannot be encoded, or the receiver could not decode it:
  ///   nobody has it
  /// @throws ClosedException if the channel or the cluster is closed, before or meanwhile: the
  ///   value was not given
  public void send(T value) throws Exception {
    Delivery delivery = delivery(value);
    try {
      delivery.sending().await();
      delivery.await();
    } catch (Cancelled | Resumed left) {
      delivery.withdraw();
      throw left;
    }
  }

  /// A value that is to be sent, for waits that are for other things as well.
  ///
  /// @throws CodecException if the value cannot be encoded
  public Delivery delivery(T value) throws CodecException {
    checkOpen();
    return sender.delivery(coding.encode(value));
  }

  /// Waits for the next value.
  ///
  /// @throws ClosedException if the channel or the cluster is closed
  public T receive() {
    checkOpen();
    return receiver.meeting().receive();
  }

  /// Receiving as one of several things to wait for, in `Await.select` and the like: it takes a
  /// value only if it wins. Can be used again.
  public Awaitable<T> receiving() {
    checkOpen();
    return receiver.meeting().receiving();
  }

  /// Receives until the channel is closed.
  @Override
  public Iterator<T> iterator() {
    Iterator<T> values = receiver.meeting().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return values.hasNext();
      }

      @Override
      public T next() throws NoSuchElementException {
        return values.next();
      }
    };
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException(this + " is closed");
    }
    peer.link();
  }

  // ---- the end

  /// Those who wait through it get a `ClosedException`; what was given and not answered is unknown.
  /// The channel goes on in other processes. Does nothing the second time.
  @Override
  public void close() {
    if (!closed) {
      peer.checkHere();
      peer.remove(part);
      end(null);
      if (!peer.isClosed()) {
        hearing.end();
      }
    }
  }

  private void end(@Nullable Throwable reason) {
    closed = true;
    receiver.close(reason);
    sender.close(reason);
    peer.knownLink().directory().leave(address);
  }

  /// Whether it was closed, or its cluster.
  public boolean isClosed() {
    return closed;
  }

  /// What all processes call it.
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return coding.toString();
  }

  /// Both ends, for the peer.
  private final class Both implements Part {
    @Override
    public boolean isBusy() {
      return sender.isBusy() || receiver.isBusy();
    }

    @Override
    public void tick() {
      sender.tick();
      receiver.tick();
    }

    @Override
    public void reconnected() {
      sender.announce();
      receiver.start();
    }

    @Override
    public void lost(@Nullable Throwable reason) {
      end(reason);
    }
  }
}
