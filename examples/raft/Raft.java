// SPDX-License-Identifier: Apache-2.0
package raft;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.info.Info;
import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.sync.Mutex;
import dev.couv.sync.Promise;
import dev.couv.sync.Topic;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/// A member of a replicated store, by Raft ("In Search of an Understandable Consensus Algorithm", Ongaro and Ousterhout 2014):
/// election, log, snapshots; who the members are does not change.
///
/// One thread runs all of a member. Whatever reads or changes the log and waits in between holds [#turn], so that each question is
/// answered as if there was no other; what changed is told by [#tell], and whoever waits for it looks again.
@SuppressWarnings("try") // closing a scope throws whatever failed in it
public class Raft {
  /// Times and sizes.
  ///
  /// @param heartbeat how often a leader says that it is there
  /// @param patience how long a member waits for one at least; twice that at most
  /// @param batch how many entries go out together
  /// @param keep how many entries are kept before a snapshot takes their place
  public record Options(Duration heartbeat, Duration patience, int batch, int keep) {
    /// For a network within a building.
    public static final Options DEFAULT =
        new Options(Duration.ofMillis(50), Duration.ofMillis(300), 1000, 10_000);
  }

  private enum Role {
    FOLLOWER,
    CANDIDATE,
    LEADER
  }

  private static final int UNKNOWN = -1;

  /// A command that is in the log, and the client that waits for it.
  private record Waiting(long term, Promise<String> answer) {}

  /// Another member, and what a leader knows of it: what is sent next, what it has for sure, and the last round that it has answered.
  private static final class Other {
    final Peer peer;
    long next;
    long match;
    long confirmed;

    Other(Peer peer) {
      this.peer = peer;
    }
  }

  private final int self;
  private final InetSocketAddress place;
  private final List<Other> others = new ArrayList<>();
  private final Path directory;
  private final Options options;
  private final Store store = new Store();
  private final Mutex turn = new Mutex();
  private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
  private Log log;
  private Role role = Role.FOLLOWER;
  private int leader = UNKNOWN;
  private long committed;
  private long applied;
  private long rounds;

  /// When there was last a leader, or somebody who was voted for.
  private long heard;

  /// The member with that number, which listens there; its files are in the directory.
  public Raft(
      int self,
      InetSocketAddress place,
      List<Peer.Address> members,
      Path directory,
      Options options) {
    this.self = self;
    this.place = place;
    this.directory = directory;
    this.options = options;
    for (int i = 0; i < members.size(); i++) {
      if (i != self) others.add(new Other(new Peer(members.get(i))));
    }
  }

  /// Takes part, until it is cancelled.
  public void run() throws Exception {
    try (var opened = open(directory);
        var listener = Tcp.listen(place)) {
      log = opened;
      restore();
      heard = Time.nanos();
      Coroutine.spawn(() -> listener.serve(this::serve));
      while (true) {
        switch (role) {
          case FOLLOWER -> follow();
          case CANDIDATE -> campaign();
          case LEADER -> lead();
        }
      }
    } finally {
      for (var other : others) other.peer.close();
    }
  }

  protected Log open(Path from) throws IOException {
    return new Log(from);
  }

  /// As it was when the snapshot was made.
  private void restore() throws IOException {
    store.load(log.snapshot().state());
    committed = log.snapshot().index();
    applied = committed;
  }

  private void tell() {
    Topic.emitAll(this);
  }

  private void until(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) Topic.await(this);
  }

  /// No longer than that.
  private void until(BooleanSupplier holds, Duration most) throws Exception {
    try {
      Time.timeout(most, () -> until(holds));
    } catch (TimeoutException late) {
      Coroutine.pause(); // it is looked at again by whoever asked
    }
  }

  /// Whether so many, with this one, are most of all members.
  private boolean isMost(long with) {
    return with >= (others.size() + 1) / 2;
  }

  private Duration patience() {
    return options.patience().plusNanos(Info.chance().nextLong(options.patience().toNanos()));
  }

  // ---- following and being elected

  /// Until there has been no leader for long enough.
  private void follow() {
    var patience = patience();
    while (role == Role.FOLLOWER) {
      long left = heard + patience.toNanos() - Time.nanos();
      if (left <= 0) {
        role = Role.CANDIDATE;
      } else {
        Time.sleep(Duration.ofNanos(left));
      }
    }
  }

  /// Asks everybody for a vote, until most have given it, or there is a leader, or it takes too long: then once more.
  private void campaign() throws Exception {
    Message.AskForVote question;
    try (var _ = turn.hold()) {
      if (role != Role.CANDIDATE) return;
      log.vote(log.term() + 1, self);
      leader = UNKNOWN;
      question = new Message.AskForVote(log.term(), self, log.last(), log.termOf(log.last()));
    }
    var votes = new ArrayList<Other>();
    try (var scope = Scope.open()) {
      for (var other : others) scope.spawn(() -> canvass(other, question, votes));
      until(() -> !isIn(Role.CANDIDATE, question.term()) || isMost(votes.size()), patience());
      scope.cancel();
    }
    if (isIn(Role.CANDIDATE, question.term()) && isMost(votes.size())) {
      role = Role.LEADER;
      leader = self;
      rounds++;
      for (var other : others) {
        other.next = log.last() + 1;
        other.match = 0;
        other.confirmed = 0;
      }
      elected(question.term());
    }
  }

  private void canvass(Other other, Message.AskForVote question, List<Other> votes)
      throws Exception {
    if (other.peer.askOrNull(question, options.patience()) instanceof Message.Vote vote) {
      if (vote.granted()) votes.add(other);
      if (vote.term() > log.term()) {
        try (var _ = turn.hold()) {
          enter(vote.term());
        }
      }
      tell();
    }
  }

  private boolean isIn(Role asked, long term) {
    return role == asked && log.term() == term;
  }

  /// Somebody is in that term. Whoever is behind has missed an election. Called by whoever has the turn.
  private void enter(long term) throws Exception {
    if (term > log.term()) {
      log.vote(term, Log.NOBODY);
      leader = UNKNOWN;
      becomeFollower();
    }
  }

  private void becomeFollower() {
    waiting.values().forEach(each -> each.answer().fail(new IOException("not any more")));
    waiting.clear();
    if (role != Role.FOLLOWER) heard = Time.nanos();
    role = Role.FOLLOWER;
    tell();
  }

  private Message vote(Message.AskForVote asked) throws Exception {
    try (var _ = turn.hold()) {
      enter(asked.term());
      long lastTerm = log.termOf(log.last());
      boolean hasAll =
          asked.lastTerm() > lastTerm || asked.lastTerm() == lastTerm && asked.last() >= log.last();
      boolean isFree = log.vote() == Log.NOBODY || log.vote() == asked.candidate();
      boolean granted = asked.term() == log.term() && isFree && hasAll;
      if (granted) {
        log.vote(asked.term(), asked.candidate());
        heard = Time.nanos();
      }
      return new Message.Vote(log.term(), granted);
    }
  }

  // ---- leading

  /// Until another term has begun.
  private void lead() throws Exception {
    long term;
    try (var _ = turn.hold()) {
      if (role != Role.LEADER) return;
      term = log.term();
      log.append(log.last() + 1, List.of(new Entry(term, Entry.Command.NOTHING)));
      commit();
    }
    try (var scope = Scope.open()) {
      for (var other : others) scope.spawn(() -> replicate(other, term));
      until(() -> !isIn(Role.LEADER, term));
      scope.cancel();
    }
  }

  /// Keeps a member's log like the own, and tells it often enough who leads.
  private void replicate(Other other, long term) throws Exception {
    while (isIn(Role.LEADER, term)) {
      long round = rounds;
      var answer = other.peer.askOrNull(news(other, term), options.patience());
      boolean answered = answer instanceof Message.Appended;
      if (answer instanceof Message.Appended appended) {
        try (var _ = turn.hold()) {
          enter(appended.term());
          if (!isIn(Role.LEADER, term)) return;
          learn(other, round, appended);
        }
      }
      until(
          () ->
              !isIn(Role.LEADER, term) || answered && (other.next <= log.last() || rounds > round),
          options.heartbeat());
    }
  }

  private void learn(Other other, long round, Message.Appended appended) throws Exception {
    other.confirmed = round;
    if (appended.agrees()) {
      other.match = Math.max(other.match, appended.index());
      other.next = other.match + 1;
      commit();
    } else {
      other.next = Math.max(other.match, Math.min(other.next - 2, appended.index())) + 1;
    }
    tell();
  }

  private Message news(Other other, long term) {
    long previous = other.next - 1;
    if (previous < log.snapshot().index()) return new Message.Install(term, self, log.snapshot());
    var news = log.from(other.next, options.batch());
    return new Message.Append(term, self, previous, log.termOf(previous), committed, news);
  }

  /// What most members have is committed. Only of the own term: what an earlier leader has sent to most may still be replaced,
  /// unless something of this term is behind it.
  private void commit() throws Exception {
    var have = LongStream.builder().add(log.last());
    for (var other : others) have.add(other.match);
    long most = have.build().sorted().skip(others.size() / 2).findFirst().orElseThrow();
    if (most > committed && log.termOf(most) == log.term()) {
      committed = most;
      apply();
    }
  }

  /// Does what is committed. Called by whoever has the turn.
  private void apply() throws Exception {
    while (applied < committed) {
      applied++;
      var entry = log.get(applied);
      applied(applied, entry);
      var answer = store.apply(entry.command());
      var waits = waiting.remove(applied);
      if (waits != null && waits.term() == entry.term()) {
        waits.answer().complete(answer);
      } else if (waits != null) {
        waits.answer().fail(new IOException("another took its place"));
      }
    }
    tell();
    if (log.size() > options.keep()) {
      log.compact(new Snapshot(applied, log.termOf(applied), store.save()));
    }
  }

  // ---- what a leader sends

  private Message append(Message.Append sent) throws Exception {
    try (var _ = turn.hold()) {
      if (!obeys(sent.term(), sent.leader()) || sent.previous() > log.last()) {
        return new Message.Appended(log.term(), false, log.last());
      }
      long start = log.snapshot().index();
      if (sent.previous() >= start && log.termOf(sent.previous()) != sent.previousTerm()) {
        return new Message.Appended(log.term(), false, Math.max(start, sent.previous() - 1));
      }
      int size = sent.news().size();
      int known = known(sent);
      if (known < size) {
        log.append(sent.previous() + 1 + known, sent.news().subList(known, size));
      }
      long last = sent.previous() + size;
      if (Math.min(sent.done(), last) > committed) {
        committed = Math.min(sent.done(), last);
        apply();
      }
      heard = Time.nanos();
      return new Message.Appended(log.term(), true, last);
    }
  }

  /// How many of them are there: those are not written again, because an old message must not cut off what came after it.
  private int known(Message.Append sent) {
    int known = 0;
    for (var entry : sent.news()) {
      long index = sent.previous() + 1 + known;
      boolean isOld = index <= log.snapshot().index();
      if (!isOld && (index > log.last() || log.termOf(index) != entry.term())) break;
      known++;
    }
    return known;
  }

  private Message install(Message.Install sent) throws Exception {
    try (var _ = turn.hold()) {
      if (!obeys(sent.term(), sent.leader())) {
        return new Message.Appended(log.term(), false, log.last());
      }
      if (sent.snapshot().index() > committed) {
        log.compact(sent.snapshot());
        restore();
      }
      heard = Time.nanos();
      return new Message.Appended(log.term(), true, sent.snapshot().index());
    }
  }

  /// Not one whose term is over.
  private boolean obeys(long term, int newLeader) throws Exception {
    if (term < log.term()) return false;
    enter(term);
    leader = newLeader;
    heard = Time.nanos();
    if (role != Role.FOLLOWER) becomeFollower();
    return true;
  }

  // ---- serving

  /// One connection: of a member or a client. Whoever is lost comes again.
  private void serve(TcpStream stream) throws Exception {
    var frames = Peer.frames(stream);
    try {
      for (byte[] frame; (frame = frames.read()) != null; ) {
        var answer =
            switch (Message.decode(frame)) {
              case Message.AskForVote asked -> vote(asked);
              case Message.Append sent -> append(sent);
              case Message.Install sent -> install(sent);
              case Message.Ask(Entry.Command command) -> answer(command);
              case Message other -> throw new IOException("nobody asked for " + other);
            };
        frames.write(answer.encode());
        frames.flush();
      }
    } catch (IOException lost) {
      stream.close();
    }
  }

  private Message answer(Entry.Command command) throws Exception {
    try {
      return new Message.Answer(
          command.kind() == Entry.Kind.GET ? read(command.key()) : write(command));
    } catch (IOException lost) {
      return new Message.NotHere(leader);
    }
  }

  private String write(Entry.Command command) throws Exception {
    var answer = new Promise<String>().ignore();
    try (var _ = turn.hold()) {
      checkLeads(log.term());
      long index = log.last() + 1;
      log.append(index, List.of(new Entry(log.term(), command)));
      waiting.put(index, new Waiting(log.term(), answer));
      commit();
    }
    tell();
    return answer.await();
  }

  private void checkLeads(long term) throws IOException {
    if (!isIn(Role.LEADER, term)) throw new IOException("it leads no more");
  }

  /// A leader that does not know of a later one might answer what was true long ago: so it asks whether it still leads. What
  /// earlier leaders have committed is known when something of the own term is.
  private String read(String key) throws IOException {
    long term = log.term();
    until(() -> !isIn(Role.LEADER, term) || log.termOf(committed) == term);
    checkLeads(term);
    long index = committed;
    confirm(term);
    checkLeads(term);
    until(() -> applied >= index);
    return store.get(key);
  }

  /// Waits until most members have answered something that was asked since, or it leads no more.
  protected void confirm(long term) {
    long round = ++rounds;
    tell();
    until(
        () ->
            !isIn(Role.LEADER, term)
                || isMost(others.stream().filter(other -> other.confirmed >= round).count()));
  }

  // ---- for those who look

  /// It leads from now on.
  protected void elected(long term) {}

  /// That is done now; it is the same on all members.
  protected void applied(long index, Entry entry) {}
}
