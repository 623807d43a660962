// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A file as a stream whose calls block the thread, for what is made of streams and exists in both ways.
final class BlockingFile implements ByteStream {
  private final OpenFile file;

  BlockingFile(OpenFile file) {
    this.file = file;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return file.readNow(into);
  }

  @Override
  public void unread(ByteBuffer bytes) throws IOException {
    file.unread(bytes);
  }

  @Override
  public void write(ByteBuffer... from) throws IOException {
    file.writeNow(from);
  }

  @Override
  public int tryWrite(ByteBuffer from) throws IOException {
    return file.tryWrite(from);
  }

  @Override
  public void shutdown() throws IOException {
    file.shutdown();
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public long pending() throws IOException {
    return file.pending();
  }

  @Override
  public void close() {
    file.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
