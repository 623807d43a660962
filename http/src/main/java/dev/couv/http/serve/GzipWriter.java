// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.coro.Coroutine;
import dev.couv.http.ContentWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A body that is compressed while it is written. What was written goes when there is enough of it, and at a [#flush].
///
/// ## Turns
///
/// Bytes that compress well make hardly any output, so that who writes them would never wait for the client: therefore it lets the others
/// run after each piece.
public final class GzipWriter implements ContentWriter, AutoCloseable {
  /// What is compressed in a turn.
  static final int PIECE = 1 << 14;

  /// So much is sent as one chunk.
  private static final int ENOUGH = 1 << 13;

  private final ContentWriter out;
  private final ByteArrayOutputStream packed = new ByteArrayOutputStream(PIECE);
  private final byte[] piece = new byte[PIECE];
  private final Gzip gzip;

  /// How much of a turn was compressed since the others ran.
  private int taken;

  private BodyState state = BodyState.OPEN;

  /// What is written here goes compressed to the other. To be closed.
  public GzipWriter(ContentWriter out, int level) throws IOException {
    this.out = out;
    this.gzip = new Gzip(packed, level);
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    state = state.begin();
    try {
      pack(bytes);
      state = state.done();
    } finally {
      state = state.leave();
    }
  }

  private void pack(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int size = Math.min(bytes.remaining(), PIECE - taken);
      bytes.get(piece, 0, size);
      gzip.write(piece, 0, size);
      taken += size;
      if (packed.size() >= ENOUGH) {
        send();
      }
      if (taken == PIECE) {
        taken = 0;
        Coroutine.pause();
      }
    }
  }

  @Override
  public void flush() throws IOException {
    state = state.begin();
    try {
      gzip.flush();
      send();
      out.flush();
      state = state.done();
    } finally {
      state = state.leave();
    }
  }

  @Override
  public void trailer(String name, String value) {
    out.trailer(name, value);
  }

  /// All of it was written.
  void end() throws IOException {
    state = state.begin();
    try {
      gzip.finish();
      send();
      state = state.done().end();
    } finally {
      state = state.leave();
    }
  }

  private void send() throws IOException {
    if (packed.size() > 0) {
      byte[] bytes = packed.toByteArray();
      packed.reset();
      out.write(bytes);
    }
  }

  /// Frees what the compression holds, wherever it was left.
  @Override
  public void close() {
    state = state.close();
    gzip.close();
  }
}
