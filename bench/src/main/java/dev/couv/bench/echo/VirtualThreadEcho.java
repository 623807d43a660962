// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// The echo server as a Java programmer writes it today: blocking sockets, a virtual thread per
/// connection, one buffer each. `PORT`; serves until it is killed.
public final class VirtualThreadEcho {
  private static final int BACKLOG = 4096;
  private static final int BUFFER_SIZE = 1 << 14;

  private VirtualThreadEcho() {}

  public static void main(String[] args) throws Exception {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), BACKLOG, loopback)) {
      while (true) {
        Socket peer = server.accept();
        Thread.startVirtualThread(() -> serve(peer));
      }
    }
  }

  private static void serve(Socket peer) {
    try (peer) {
      peer.setTcpNoDelay(true);
      InputStream in = peer.getInputStream();
      OutputStream out = peer.getOutputStream();
      byte[] buffer = new byte[BUFFER_SIZE];
      for (int count; (count = in.read(buffer)) >= 0; ) {
        out.write(buffer, 0, count);
      }
    } catch (IOException gone) {
      // The load has ended, and its connections with it.
    }
  }
}
