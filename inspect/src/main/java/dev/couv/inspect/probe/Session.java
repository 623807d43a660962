// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/// Somebody who asks, at the other end of a socket. A question and its answer are each a length, and as many bytes of
/// UTF-8. When the asker goes, so does all that was there for him: the socket, the threads, and who loaded this class.
public final class Session implements Runnable {
  private final SocketChannel socket;
  private final Closeable loader;

  /// `loader` is closed at the end.
  public Session(SocketChannel socket, Closeable loader) {
    this.socket = socket;
    this.loader = loader;
  }

  @Override
  public void run() {
    try (loader;
        socket;
        Probe probe = new Probe()) {
      DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
      DataOutputStream out = new DataOutputStream(Channels.newOutputStream(socket));
      while (true) {
        byte[] answer =
            answer(probe, new String(in.readNBytes(in.readInt()), UTF_8)).getBytes(UTF_8);
        out.writeInt(answer.length);
        out.write(answer);
        out.flush();
      }
    } catch (IOException gone) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// A failure is an answer, too: that of a Couv which is not the one that this was made for, most of all.
  private static String answer(Probe probe, String question) throws InterruptedException {
    try {
      return probe.answer(question);
    } catch (RuntimeException | LinkageError | OutOfMemoryError failed) {
      return "!" + failed;
    }
  }
}
