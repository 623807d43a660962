// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.RequestOperation;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Waiting for a connection to be made. The stream is this one's own until it is connected and taken; every other way out
/// closes it, and libuv then ends the request.
abstract class ConnectOperation<S extends HostSocket> extends RequestOperation {
  /// What [#connect] answers if the stream is connected already: there is nothing to wait for.
  static final int AT_ONCE = UvErrors.UV_ECANCELED;

  private @Nullable S stream;

  /// Why it was not even begun.
  private @Nullable IOException refusal;

  /// A stream that is to be connected.
  abstract S open() throws IOException;

  /// Begins to connect it. A negative code if that was refused, or [#AT_ONCE].
  abstract int connect(long request, S opened);

  /// What that code of the system deserves.
  abstract IOException failure(int code);

  @Override
  protected final int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_CONNECT);
  }

  @Override
  protected final int begin(long loop, long request) {
    boolean begun = false;
    try {
      S opened = open();
      stream = opened;
      int code = connect(request, opened);
      begun = code >= 0 || code == AT_ONCE;
      return code;
    } catch (IOException refused) {
      refusal = refused;
      return AT_ONCE;
    } finally {
      if (!begun) {
        closeStream();
      }
    }
  }

  @Override
  protected final void received() {
    if (status() < 0) {
      closeStream();
    }
  }

  @Override
  public final void cancel() {
    super.cancel();
    closeStream();
  }

  @Override
  public final void surrender() {
    closeStream();
  }

  private void closeStream() {
    S left = stream;
    stream = null;
    if (left != null) {
      left.close();
    }
  }

  /// When it is complete: the stream, which is the caller's from now on.
  public S finish() throws IOException {
    S connected = stream;
    if (connected == null) {
      throw refusal == null ? failure(status()) : refusal;
    }
    stream = null;
    return connected;
  }
}
