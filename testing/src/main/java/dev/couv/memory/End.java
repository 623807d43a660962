// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.world.SocketHandle;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One end of a connection, as the system of a machine has it: what has come and was not read, and what may still be sent.
/// Those who use it hold it by handles.
final class End implements Passable {
  /// How many bytes may be on their way or unread, each way.
  static final int CAPACITY = 1 << 17;

  /// How far its connection has come.
  enum State {
    /// Asked for, or asked by nobody yet.
    NEW,
    MADE,
    /// It was never made, or is no more.
    BROKEN
  }

  private final Node node;
  private int life;
  private final boolean local;
  private final BiFunction<End, EventLoop, MemoryStream> handles;
  private final List<MemoryStream> users = new ArrayList<>(1);

  private @Nullable End peer;
  private @Nullable Flow out;
  private State state = State.NEW;

  /// Of the side that is asked: whether it takes the connection, and is told of it.
  private @Nullable Predicate<End> asked;

  /// Of the side that asks.
  private @Nullable Runnable settled;

  // What has come.
  private final ArrayDeque<Packet.Data> arrived = new ArrayDeque<>(2);
  private int unread;
  private boolean ended;

  /// What the next call is told, once.
  private @Nullable String error;

  // What goes.
  private int room = CAPACITY;
  private boolean shut;

  /// Whether it is of a pipe, which is never reset.
  private boolean pipe;

  private int holders = 1;
  private boolean closed;
  private Runnable whenGone = () -> {};

  /// `handles` makes a handle of it for a loop.
  End(Node node, boolean local, BiFunction<End, EventLoop, MemoryStream> handles) {
    this.node = node;
    this.life = node.life();
    this.local = local;
    this.handles = handles;
  }

  /// The two are each other's peers from now on.
  static void join(End one, End other) {
    one.peer = other;
    other.peer = one;
    one.out = new Flow(one.node.network(), one, other);
    other.out = new Flow(one.node.network(), other, one);
    one.node.ends().add(one);
    other.node.ends().add(other);
  }

  /// Both are connected, without a word.
  static void made(End one, End other) {
    join(one, other);
    one.state = State.MADE;
    other.state = State.MADE;
  }

  /// Both are ends of a pipe.
  static void pipe(End one, End other) {
    made(one, other);
    one.pipe = true;
    other.pipe = true;
  }

  Node node() {
    return node;
  }

  End peer() {
    return Objects.requireNonNull(peer);
  }

  private Flow out() {
    return Objects.requireNonNull(out);
  }

  State state() {
    return state;
  }

  /// Nothing that is done with it reaches anybody: who has it has ended already.
  void cutOff() {
    life = -1;
  }

  boolean isCutOff() {
    return life != node.life();
  }

  // ---- being made

  /// Asks the peer, who says by `asked` whether he takes it; `settled` is told when the answer is there.
  void connect(Predicate<End> newAsked, Runnable newSettled) {
    peer().asked = newAsked;
    settled = newSettled;
    out().send(new Packet.Syn());
  }

  /// Why the connection was not made, or is no more, told once; null if there is nothing to tell.
  @Nullable String takeError() {
    String told = error;
    error = null;
    return told;
  }

  // ---- who has it

  @Override
  public void shared() {
    holders++;
  }

  boolean isShared() {
    return holders > 1;
  }

  @Override
  public void released() {
    if (--holders == 0) {
      close();
    }
  }

  @Override
  public SocketHandle open(EventLoop loop) {
    return (SocketHandle) handle(loop);
  }

  MemoryStream handle(EventLoop loop) {
    return handles.apply(this, loop);
  }

  void usedBy(MemoryStream user) {
    users.add(user);
  }

  void leftBy(MemoryStream user) {
    users.remove(user);
  }

  void whenGone(Runnable action) {
    whenGone = action;
  }

  private void changed() {
    for (int i = users.size() - 1; i >= 0; i--) {
      users.get(i).endChanged();
    }
  }

  // ---- what comes

  /// Whether it can be given that now.
  boolean takes(Packet packet) {
    if (!(packet instanceof Packet.Syn) || state != State.NEW || asked == null) {
      return true;
    }
    life = node.life(); // whoever runs there now is asked
    return asked.test(this);
  }

  void arrived(Packet packet) {
    if (isCutOff() || closed) {
      // A machine that was started anew knows nothing of it, and says so; so does one that closed
      // it.
      if (!(packet instanceof Packet.Reset || packet instanceof Packet.Fin)
          && !(packet instanceof Packet.Room && !isCutOff())) {
        peer().resetByWire();
      }
      return;
    }
    switch (packet) {
      case Packet.Syn() -> {
        if (state == State.MADE) {
          out().send(new Packet.Made());
        }
      }
      case Packet.Made() -> settle(State.MADE, null);
      case Packet.Data data -> {
        arrived.add(data);
        unread += data.bytes().remaining();
      }
      case Packet.Room(int bytes) -> room += bytes;
      case Packet.Fin() -> ended = true;
      case Packet.Reset() -> reset();
    }
    changed();
  }

  private void resetByWire() {
    End back = this;
    node.network()
        .agenda()
        .later(node.network().routes().latency(peer().node, node), node, () -> back.arrivedReset());
  }

  private void arrivedReset() {
    if (!isCutOff() && !closed && node.network().routes().isOpen(peer().node, node)) {
      reset();
      changed();
    }
  }

  private void reset() {
    if (state == State.NEW) {
      settle(State.BROKEN, "ECONNREFUSED");
    } else {
      breaks(ended || pipe ? "EPIPE" : "ECONNRESET");
    }
  }

  private void settle(State newState, @Nullable String newError) {
    if (state == State.NEW) {
      state = newState;
      error = newError;
      Runnable told = settled;
      settled = null;
      if (told != null) {
        told.run();
      }
    }
  }

  private void breaks(String newError) {
    if (state == State.MADE) {
      state = State.BROKEN;
      error = newError;
      out().drop();
    }
  }

  /// The one who asked is refused.
  void refuse() {
    state = State.BROKEN;
    out().send(new Packet.Reset());
  }

  /// The one who asked is taken.
  void accept() {
    state = State.MADE;
  }

  /// What was sent did not get there, however often it was tried.
  void gaveUp() {
    if (state == State.NEW) {
      settle(State.BROKEN, "ETIMEDOUT");
    } else {
      breaks("ETIMEDOUT");
      changed();
    }
  }

  /// Something on the way has ended the connection.
  void cut() {
    reset();
    changed();
  }

  // ---- reading

  /// Whether a read has an answer.
  boolean isReadable() {
    return unread > 0 || ended || state == State.BROKEN || !arrived.isEmpty();
  }

  /// Whether that answer is bytes.
  int unread() {
    return unread;
  }

  boolean hasEnded() {
    return ended;
  }

  /// The next bytes, at most so many; null if there are none now. A socket that came with them is told to `passed`.
  @Nullable ByteBuffer take(int most, Consumer<Passable> passed) {
    Packet.Data first = arrived.peek();
    if (first == null) {
      return null;
    }
    ByteBuffer bytes = first.bytes();
    Passable with = first.passed();
    int count = Math.min(most, bytes.remaining());
    ByteBuffer taken = bytes.slice(bytes.position(), count);
    bytes.position(bytes.position() + count);
    arrived.remove();
    if (bytes.hasRemaining()) {
      arrived.addFirst(new Packet.Data(bytes, null));
    }
    unread -= count;
    if (with != null) {
      passed.accept(with);
    }
    if (state == State.MADE && count > 0) {
      out().send(new Packet.Room(count));
    }
    return taken;
  }

  /// Whether a socket comes with the bytes that are read next.
  boolean isSocketNext() {
    Packet.Data first = arrived.peek();
    return first != null && first.passed() != null;
  }

  // ---- writing

  int room() {
    return state == State.MADE || isCutOff() ? room : 0;
  }

  /// Why nothing can be written; null if it can.
  @Nullable String writeError() {
    String told = takeError();
    if (told != null) {
      return told;
    }
    return shut || state == State.BROKEN || (local && peer().closed && !isCutOff())
        ? "EPIPE"
        : null;
  }

  /// Sends some of the bytes, as many as there is room for: how many.
  int put(ByteBuffer from, int most, @Nullable Passable passed) {
    int count = Math.min(Math.min(most, from.remaining()), room());
    if (count > 0) {
      ByteBuffer copy = ByteBuffer.allocate(count).put(0, from, from.position(), count);
      from.position(from.position() + count);
      if (!isCutOff()) {
        room -= count;
      }
      if (passed != null) {
        passed.shared();
      }
      out().send(new Packet.Data(copy, passed));
    }
    return count;
  }

  void shut() {
    if (!shut) {
      shut = true;
      out().send(new Packet.Fin());
    }
  }

  // ---- the end

  /// The connection ends at once, and the peer is told so.
  void abort() {
    if (!closed) {
      out().send(new Packet.Reset());
      shut = true;
      gone();
    }
  }

  /// What was sent still arrives. What came and was not read is lost: the peer is told so.
  private void close() {
    if (closed) {
      return;
    }
    if (state == State.MADE) {
      if (unread > 0) {
        out().send(new Packet.Reset());
      } else {
        shut();
      }
    } else if (state == State.NEW) {
      state = State.BROKEN;
      shut(); // whoever was asked may have it already, and finds its end
    }
    gone();
  }

  private void gone() {
    closed = true;
    arrived.forEach(
        data -> {
          if (data.passed() != null) {
            data.passed().released();
          }
        });
    arrived.clear();
    unread = 0;
    node.ends().remove(this);
    whenGone.run();
  }

  boolean isClosed() {
    return closed;
  }
}
