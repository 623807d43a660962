// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.cluster.link.Bucket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What becomes of a lease's entry where answers are lost.
final class ClaimTest {
  /// One entry, and a server that may do what it is asked for without an answer.
  private static final class OneEntry implements Bucket {
    private @Nullable Entry entry;
    private long last;
    private boolean silent;
    private boolean silentToLooks;

    private void answer() throws UnknownOutcomeException {
      if (silent) {
        throw new UnknownOutcomeException("silence");
      }
    }

    @Override
    public @Nullable Entry get(String key) throws Exception {
      if (silentToLooks) {
        throw new ClusterException("silence");
      }
      return entry;
    }

    @Override
    public @Nullable Long update(String key, byte[] value, long revision) throws Exception {
      if ((entry == null ? 0 : entry.revision()) != revision) {
        answer();
        return null;
      }
      entry = new Entry(key, value, ++last);
      answer();
      return last;
    }

    @Override
    public boolean delete(String key, long revision) throws Exception {
      boolean deleted = entry != null && entry.revision() == revision;
      entry = deleted ? null : entry;
      answer();
      return deleted;
    }

    @Override
    public long put(String key, byte[] value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<String> keys() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Runnable watch(@Nullable String key, Watcher watcher) {
      throw new UnsupportedOperationException();
    }
  }

  private final OneEntry bucket = new OneEntry();
  private final Claim claim = new Claim(bucket, "leader", "one");

  private void makeInSilence() {
    bucket.silent = true;
    assertThrows(UnknownOutcomeException.class, claim::make);
    bucket.silent = false;
  }

  @Test
  void whatWasMadeInSilenceIsHis() throws Exception {
    makeInSilence();
    assertTrue(claim.make());
    makeInSilence();
    assertTrue(claim.make());
    claim.drop();

    assertNull(bucket.entry);
  }

  @Test
  void whatWasMadeInSilenceAndHasEndedIsNobodys() throws Exception {
    makeInSilence();
    makeInSilence(); // finds it, and renews it
    bucket.entry = null; // its time is over

    claim.make();

    assertTrue(claim.make());
  }

  /// What was asked for in silence is done only after another had it and let it go.
  @Test
  void whatWasAskedForInSilenceIsHisHoweverLateItComes() throws Exception {
    bucket.entry =
        new Bucket.Entry("leader", "two".getBytes(StandardCharsets.US_ASCII), ++bucket.last);
    makeInSilence();
    assertFalse(claim.make());
    assertFalse(claim.make());
    bucket.entry =
        new Bucket.Entry("leader", "one".getBytes(StandardCharsets.US_ASCII), ++bucket.last);

    assertTrue(claim.make());
  }

  @Test
  void whatAnotherHasIsHisWhenThatLetsGo() throws Exception {
    assertTrue(claim.make());
    bucket.entry =
        new Bucket.Entry("leader", "two".getBytes(StandardCharsets.US_ASCII), ++bucket.last);

    assertFalse(claim.make());
    assertFalse(claim.make());
    bucket.entry = null;

    assertTrue(claim.make());
    assertEquals(bucket.last, claim.revision());
  }

  @Test
  void aLookThatIsNotAnsweredSaysNothing() throws Exception {
    makeInSilence();
    bucket.silentToLooks = true;
    assertThrows(UnknownOutcomeException.class, claim::make);
    bucket.silentToLooks = false;

    assertTrue(claim.make());
  }

  @Test
  void whatWasMadeInSilenceIsDropped() throws Exception {
    assertTrue(claim.make());
    makeInSilence();
    claim.drop();

    assertNull(bucket.entry);
  }
}
