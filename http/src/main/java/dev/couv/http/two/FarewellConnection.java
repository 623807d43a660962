// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/// What Netty knows of a connection, but for a farewell in peace: streams that begin behind that come to our listener, which
/// refuses them, so that the client may ask elsewhere. Netty would let their frames go, and log a line for each: on the loop's
/// thread, as many as the client likes.
final class FarewellConnection extends DefaultHttp2Connection {
  /// The last stream that is answered, as the client was told; all, if it was told nothing.
  private int last = Integer.MAX_VALUE;

  FarewellConnection() {
    super(true);
  }

  /// Before a farewell is sent, which it is not if this is false: the last stream may not become a later one (RFC 9113, 6.8).
  @Override
  public boolean goAwaySent(int lastKnown, long error, ByteBuf why) throws Http2Exception {
    if (lastKnown > last) {
      return false;
    }
    last = lastKnown;
    return error == Http2Error.NO_ERROR.code() || super.goAwaySent(lastKnown, error, why);
  }

  /// Whether the client was told that this stream would not be answered.
  boolean isBehindFarewell(int id) {
    return id > last;
  }
}
