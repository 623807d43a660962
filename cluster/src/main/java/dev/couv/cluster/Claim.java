// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Bucket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The entry of a [ClusterLease] in its bucket, as one who wants it, or has it, knows it.
///
/// What a server has not answered may have been done all the same. So who finds the entry changed behind such a silence looks whose it is: it may be
/// his own.
final class Claim {
  private final Bucket bucket;
  private final String name;

  /// Nobody else's, also in this process.
  private final byte[] holder;

  /// As far as is known; 0 as long as it was never his.
  private long revision;

  /// Whether a change was asked for and not answered, since the last that is known to be his: it may come later than those after it.
  private boolean unanswered;

  Claim(Bucket bucket, String name, String holder) {
    this.bucket = bucket;
    this.name = name;
    this.holder = holder.getBytes(StandardCharsets.US_ASCII);
  }

  /// Of the last change that was his.
  long revision() {
    return revision;
  }

  /// Makes it his, or his for longer, from before this call on; false if it is another's. Waits.
  boolean make() throws Exception {
    boolean perhapsHis = unanswered;
    unanswered = true;
    Long made = bucket.update(name, holder, revision);
    if (made == null && perhapsHis && isHis()) {
      made = bucket.update(name, holder, revision);
    }
    unanswered = made == null && perhapsHis;
    // What is another's was not made by him: he asks for it as everybody does.
    revision = made == null ? 0 : made;
    return made != null;
  }

  /// Lets another have it, if it is his. Waits.
  void drop() throws Exception {
    if (!bucket.delete(name, revision) && unanswered && isHis()) {
      bucket.delete(name, revision);
    }
  }

  /// Looks, and knows the revision then.
  private boolean isHis() throws Exception {
    Bucket.@Nullable Entry there;
    try {
      there = bucket.get(name);
    } catch (ClusterException silence) {
      throw new UnknownOutcomeException("whose " + name + " is was not answered", silence);
    }
    if (there == null || !Arrays.equals(holder, there.value())) {
      return false;
    }
    revision = there.revision();
    return true;
  }
}
