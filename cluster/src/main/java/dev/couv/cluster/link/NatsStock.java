// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.cluster.UnknownOutcomeException;
import dev.couv.time.Time;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A stream of JetStream whose values go once they are acknowledged, and the one consumer that all
/// receivers share. Values are pulled by messages of ours, because the client's own ways to pull
/// need a thread that waits.
final class NatsStock implements Stock {
  private static final String CONSUMER = "takers";
  private static final Duration REMEMBERED = Duration.ofMinutes(2);
  private static final Duration ATTEMPT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String ACK = "+ACK";

  /// `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>…`, perhaps with a domain and an
  /// account behind `ACK`.
  private static final int SHORT_ACK = 9;

  private final NatsLink link;
  private final StockPlan plan;
  private final Taker taker;

  /// Where what is pulled comes to: values with the subject they were put with, and below it a word
  /// for each pull, by which the server says that nothing more comes. So values are counted for the
  /// oldest pull, which is the one served first.
  private final String inbox;

  private final Map<String, Pull> pulls = new LinkedHashMap<>();
  private Link.@Nullable Hearing hearing;

  private boolean closed;

  /// A request for values.
  private static final class Pull {
    private final long limit;
    private int open;

    /// From before the connection was lost: told as unserved, though its values may still come.
    private boolean stale;

    private Pull(int count, long limit) {
      this.open = count;
      this.limit = limit;
    }
  }

  private NatsStock(NatsLink link, StockPlan plan, Taker taker) {
    this.link = link;
    this.plan = plan;
    this.taker = taker;
    this.inbox = link.directory().inbox() + link.directory().word();
  }

  static NatsStock open(NatsLink link, StockPlan plan, Taker taker) throws Exception {
    NatsCalls.insist(
        link,
        () -> {
          prepare(link, plan);
          return true;
        });
    NatsStock stock = new NatsStock(link, plan, taker);
    stock.hearing = link.hear(stock.inbox + ".*", null, stock::arrived);
    return stock;
  }

  /// Blocks. Others may do the same at the same time.
  private static void prepare(NatsLink link, StockPlan plan) throws Exception {
    JetStreamManagement management = link.connection().jetStreamManagement(NatsCalls.EACH);
    StreamConfiguration stream =
        StreamConfiguration.builder()
            .name(plan.stream())
            .subjects(plan.subject())
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .storageType(StorageType.File)
            .replicas(plan.replicas())
            .duplicateWindow(REMEMBERED)
            .build();
    try {
      management.addStream(stream);
    } catch (JetStreamApiException refused) {
      if (refused.getApiErrorCode() != NatsCalls.STREAM_EXISTS) {
        throw refused;
      }
    }
    management.addOrUpdateConsumer(
        plan.stream(),
        ConsumerConfiguration.builder()
            .durable(CONSUMER)
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(plan.patience())
            .maxDeliver(-1) // counted by who receives: what is too often is a dead letter
            .maxAckPending(-1)
            .maxPullWaiting(10_000)
            .build());
  }

  // ---- putting

  @Override
  public void put(String id, Map<String, String> headers, byte[] data) throws Exception {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Nats-Msg-Id", id); // so that it can be put again if the answer was lost
    long limit = System.nanoTime() + link.options().answerTimeout().toNanos();
    String last = "no answer";
    while (System.nanoTime() - limit < 0) {
      try {
        Packet answer = link.asking().ask(plan.subject(), all, data, ATTEMPT);
        if (answer.status() != Packet.NOBODY) {
          checkPut(answer);
          return;
        }
        last = "no server keeps it now";
      } catch (TimeoutException late) {
        last = "no answer";
      }
      Time.sleep(PAUSE);
    }
    throw new UnknownOutcomeException(
        "it is unknown whether " + plan.stream() + " keeps a value: " + last);
  }

  private void checkPut(Packet answer) throws ClusterException {
    JsonValue said;
    try {
      said = JsonParser.parse(answer.data());
    } catch (JsonParseException nonsense) {
      throw new ClusterException(plan.stream() + " was answered nonsense", nonsense);
    }
    JsonValue error = JsonValueUtils.readValue(said, "error");
    if (error != null) {
      throw new ClusterException(
          plan.stream() + " keeps no value: " + JsonValueUtils.readString(error, "description"));
    }
  }

  // ---- pulling

  @Override
  public void pull(int count, Duration patience) throws ClusterException {
    Pull pull = new Pull(count, System.nanoTime() + patience.toNanos() + ATTEMPT.toNanos());
    String word = link.directory().word();
    String request = "{\"batch\":" + count + ",\"expires\":" + patience.toNanos() + "}";
    link.send(
        Packet.of(
            "$JS.API.CONSUMER.MSG.NEXT." + plan.stream() + "." + CONSUMER,
            inbox + '.' + word,
            request.getBytes(StandardCharsets.US_ASCII)));
    pulls.put(word, pull); // if it was asked: who is told that it was not does not count it
  }

  private void arrived(Packet packet) {
    if (packet.status() != 0) {
      over(packet.lastToken()); // nothing there, or too late: nothing comes any more
      return;
    }
    Supply supply = supply(packet);
    if (supply == null) {
      return; // not from the server
    }
    boolean expected = count();
    if (closed) {
      try {
        giveBack(supply, Duration.ZERO);
      } catch (ClusterException lost) {
        NatsErrors.LOG.log(Level.DEBUG, "a value is delivered again later", lost);
      }
      endHearing();
    } else {
      if (!expected) {
        taker.unserved(-1); // of a pull that was thought to be over
      }
      taker.arrived(supply);
    }
  }

  /// A value has come: false if it is of no pull that is still counted.
  private boolean count() {
    for (var each = pulls.values().iterator(); each.hasNext(); ) {
      Pull pull = each.next();
      if (--pull.open == 0) {
        each.remove();
      }
      return !pull.stale;
    }
    return false;
  }

  private void over(String word) {
    Pull pull = pulls.remove(word);
    if (pull != null && !closed && !pull.stale) {
      taker.unserved(pull.open);
    }
    endHearing();
  }

  @Override
  public void reconnected() {
    for (Pull pull : List.copyOf(pulls.values())) {
      if (!pull.stale) {
        pull.stale = true;
        taker.unserved(pull.open);
      }
    }
  }

  private static @Nullable Supply supply(Packet packet) {
    String token = packet.reply();
    if (token == null) {
      return null;
    }
    String[] words = token.split("\\.", -1);
    if (words.length < SHORT_ACK || !words[0].equals("$JS") || !words[1].equals("ACK")) {
      return null;
    }
    int first = words.length > SHORT_ACK ? 4 : 2; // the stream's name
    try {
      return new Supply(
          packet.data(),
          packet.headers(),
          Integer.parseInt(words[first + 2]),
          Long.parseLong(words[first + 3]),
          token);
    } catch (NumberFormatException nonsense) {
      return null;
    }
  }

  @Override
  public void tick() {
    long now = System.nanoTime();
    Map.copyOf(pulls)
        .forEach(
            (word, pull) -> {
              if (now - pull.limit > 0) {
                over(word);
              }
            });
  }

  // ---- what becomes of a delivery

  @Override
  public boolean acknowledge(Supply supply) throws Exception {
    byte[] word = ACK.getBytes(StandardCharsets.US_ASCII);
    long limit = System.nanoTime() + link.options().answerTimeout().toNanos();
    while (System.nanoTime() - limit < 0) {
      try {
        Packet answer = link.asking().ask(supply.token(), Map.of(), word, ATTEMPT);
        if (answer.status() != Packet.NOBODY) {
          return true;
        }
        Time.sleep(PAUSE);
      } catch (TimeoutException late) {
        NatsErrors.LOG.log(Level.DEBUG, plan.stream() + " is told again", late);
      }
    }
    throw new UnknownOutcomeException(
        "it is unknown whether " + plan.stream() + " knows that a value is done with");
  }

  @Override
  public void done(Supply supply) throws ClusterException {
    say(supply, ACK);
  }

  @Override
  public void giveBack(Supply supply, Duration delay) throws ClusterException {
    say(supply, delay.isZero() ? "-NAK" : "-NAK {\"delay\":" + delay.toNanos() + "}");
  }

  @Override
  public void working(Supply supply) throws ClusterException {
    say(supply, "+WPI");
  }

  private void say(Supply supply, String word) throws ClusterException {
    link.send(Packet.of(supply.token(), null, word.getBytes(StandardCharsets.US_ASCII)));
  }

  @Override
  public long size() throws Exception {
    return NatsCalls.call(
        link,
        () ->
            link.connection()
                .jetStreamManagement(NatsCalls.EACH)
                .getStreamInfo(plan.stream())
                .getStreamState()
                .getMsgCount());
  }

  @Override
  public void close() {
    closed = true;
    endHearing();
  }

  /// When all that was pulled has come and was given back, or the server has said that it does not come; with the link at
  /// the latest.
  private void endHearing() {
    if (closed && hearing != null && pulls.isEmpty()) {
      hearing.end();
      hearing = null;
    }
  }
}
