// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.http.HttpBody;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A body that comes over a connection, and may fail on its way.
public interface ComingBody extends HttpBody {
  /// What a read of it has failed with, because of what the client did: so it is no failure of the handler that was told
  /// of it. Null if nothing is wrong.
  @Nullable IOException failure();
}
