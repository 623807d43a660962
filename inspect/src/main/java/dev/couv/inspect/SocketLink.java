// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The way to the probe in another process. When it is closed, nothing of the probe is left there.
final class SocketLink implements Link {
  private static final long PATIENCE_SECONDS = 60;

  private final SocketChannel socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  SocketLink(SocketChannel socket) {
    this.socket = socket;
    this.in = new DataInputStream(Channels.newInputStream(socket));
    this.out = new DataOutputStream(Channels.newOutputStream(socket));
  }

  @Override
  public synchronized String ask(String question) throws IOException {
    return inTime(
        () -> {
          byte[] bytes = question.getBytes(UTF_8);
          out.writeInt(bytes.length);
          out.write(bytes);
          out.flush();
          return read();
        });
  }

  /// What is said without a question: the first words.
  synchronized String hear() throws IOException {
    return inTime(this::read);
  }

  private String read() throws IOException {
    String answer = new String(in.readNBytes(in.readInt()), UTF_8);
    return answer;
  }

  /// One that takes too long closes the socket: what came later would be taken for the next answer.
  private String inTime(Callable<String> exchange) throws IOException {
    FutureTask<String> task = new FutureTask<>(exchange);
    Thread.ofVirtual().name("couv-inspect-link").start(task);
    try {
      return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new IOException("it has ended", failed.getCause());
    } catch (TimeoutException late) {
      close();
      throw new IOException("it has not answered for " + PATIENCE_SECONDS + " s", late);
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      IOException interrupted = new InterruptedIOException("interrupted while asking");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
