// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How a process takes part in a cluster.
///
/// @param credentials who it is to the servers
/// @param tls the keys and certificates to speak TLS with; null: not, unless a URL begins with
///   `tls:`
/// @param name what the servers call the connection, in their logs
/// @param space the first word of every subject, stream and bucket: those of other spaces do not
///   meet
/// @param connectTimeout how long one server is tried at a time
/// @param backoff how long it waits before it tries all servers again, the first time; each time
///   twice as long
/// @param longestBackoff and never longer
/// @param attempts how often it tries all servers before it gives up; negative: for ever
/// @param grace how long closing waits for what is under way
/// @param answerTimeout how long it waits for an answer: to a call, to a value that was given away,
///   to a put
/// @param largestValue how many bytes a value may have
/// @param buffer how many values of a topic wait for a slow receiver, before it is shown out
/// @param replicas how many servers keep each queue, bucket and store
public record ClusterOptions(
    Credentials credentials,
    @Nullable SSLContext tls,
    String name,
    String space,
    Duration connectTimeout,
    Duration backoff,
    Duration longestBackoff,
    int attempts,
    Duration grace,
    Duration answerTimeout,
    int largestValue,
    int buffer,
    int replicas) {

  private static final int MOST_REPLICAS = 5;

  /// No credentials, no TLS, and for everything else what fits most programs.
  public static final ClusterOptions DEFAULT =
      new ClusterOptions(
          Credentials.none(),
          null,
          "couv",
          "couv",
          Duration.ofSeconds(5),
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          -1,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          1 << 20,
          1024,
          1);

  /// Checks that times and counts are positive, and that the space is a name.
  public ClusterOptions {
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(name, "name");
    Subjects.check("space", space);
    checkTime("connectTimeout", connectTimeout);
    checkTime("backoff", backoff);
    checkTime("longestBackoff", longestBackoff);
    checkTime("grace", grace);
    checkTime("answerTimeout", answerTimeout);
    checkCount("largestValue", largestValue, Integer.MAX_VALUE);
    checkCount("buffer", buffer, Integer.MAX_VALUE - 1);
    checkCount("replicas", replicas, MOST_REPLICAS);
  }

  private static void checkTime(String what, Duration time) {
    if (!Objects.requireNonNull(time, what).isPositive()) {
      throw new IllegalArgumentException(what + " must be positive: " + time);
    }
  }

  private static void checkCount(String what, int count, int most) {
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(what + " must be from 1 to " + most + ", and is " + count);
    }
  }

  /// Who it is to the servers.
  public ClusterOptions withCredentials(Credentials value) {
    return with(draft -> draft.credentials = value);
  }

  /// Speaks TLS with these keys and certificates. A server has to show one of the name, or address,
  /// that it was asked for by.
  public ClusterOptions withTls(SSLContext value) {
    Objects.requireNonNull(value, "tls");
    return with(draft -> draft.tls = value);
  }

  /// What the servers call the connection.
  public ClusterOptions withName(String value) {
    return with(draft -> draft.name = value);
  }

  /// The first word of every subject, stream and bucket.
  public ClusterOptions withSpace(String value) {
    return with(draft -> draft.space = value);
  }

  /// How long one server is tried at a time.
  public ClusterOptions withConnectTimeout(Duration value) {
    return with(draft -> draft.connectTimeout = value);
  }

  /// How long it waits before it tries all servers again, the first time.
  public ClusterOptions withBackoff(Duration value) {
    return with(draft -> draft.backoff = value);
  }

  /// How long it waits at most before it tries all servers again.
  public ClusterOptions withLongestBackoff(Duration value) {
    return with(draft -> draft.longestBackoff = value);
  }

  /// How often it tries all servers before it gives up; negative: for ever.
  public ClusterOptions withAttempts(int value) {
    return with(draft -> draft.attempts = value);
  }

  /// How long closing waits for what is under way.
  public ClusterOptions withGrace(Duration value) {
    return with(draft -> draft.grace = value);
  }

  /// How long it waits for an answer.
  public ClusterOptions withAnswerTimeout(Duration value) {
    return with(draft -> draft.answerTimeout = value);
  }

  /// How many bytes a value may have.
  public ClusterOptions withLargestValue(int value) {
    return with(draft -> draft.largestValue = value);
  }

  /// How many values of a topic wait for a slow receiver.
  public ClusterOptions withBuffer(int value) {
    return with(draft -> draft.buffer = value);
  }

  /// How many servers keep each queue, bucket and store.
  public ClusterOptions withReplicas(int value) {
    return with(draft -> draft.replicas = value);
  }

  private ClusterOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.made();
  }

  /// Options that are being made of others.
  private static final class Draft {
    private Credentials credentials;
    private @Nullable SSLContext tls;
    private String name;
    private String space;
    private Duration connectTimeout;
    private Duration backoff;
    private Duration longestBackoff;
    private int attempts;
    private Duration grace;
    private Duration answerTimeout;
    private int largestValue;
    private int buffer;
    private int replicas;

    private Draft(ClusterOptions from) {
      credentials = from.credentials;
      tls = from.tls;
      name = from.name;
      space = from.space;
      connectTimeout = from.connectTimeout;
      backoff = from.backoff;
      longestBackoff = from.longestBackoff;
      attempts = from.attempts;
      grace = from.grace;
      answerTimeout = from.answerTimeout;
      largestValue = from.largestValue;
      buffer = from.buffer;
      replicas = from.replicas;
    }

    private ClusterOptions made() {
      return new ClusterOptions(
          credentials,
          tls,
          name,
          space,
          connectTimeout,
          backoff,
          longestBackoff,
          attempts,
          grace,
          answerTimeout,
          largestValue,
          buffer,
          replicas);
    }
  }
}
