// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Waiting for bytes: there is one for each stream, used again and again. It is told where they are wanted, awaited, and
/// asked for them in the same way. Left early, what has arrived is there for the next read.
public interface Reading extends Operation {
  /// What arrives is wanted in that buffer, whose position moves only when it is finished.
  void into(ByteBuffer buffer);

  /// What arrives is wanted in a buffer of the right size; or, to be passed on, in one of the loop's
  /// [dev.couv.loop.TransferBuffers], to which who gets it gives it back, if it is a direct one.
  void intoOwn(boolean toBePassedOn);

  /// After [#into], with the same buffer: how many bytes came, -1 at the end.
  int finishInto(ByteBuffer into) throws IOException;

  /// After [#intoOwn]: what came, null at the end.
  @Nullable ByteBuffer finishOwn() throws IOException;
}
