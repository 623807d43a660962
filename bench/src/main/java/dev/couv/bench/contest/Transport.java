// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// How a server is reached, and so how one knows that it is there.
enum Transport {
  TCP {
    @Override
    String address() throws IOException {
      return freePort();
    }

    @Override
    void reach(String address) throws IOException {
      try (Socket socket = new Socket()) {
        socket.connect(at(address), PATIENCE_MILLIS);
      }
    }
  },
  UDP {
    @Override
    String address() throws IOException {
      return freePort();
    }

    @Override
    void reach(String address) throws IOException {
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.send(new DatagramPacket(new byte[1], 1, at(address)));
        socket.receive(new DatagramPacket(new byte[1], 1));
      }
    }
  },
  LOCAL {
    @Override
    String address() throws IOException {
      return Files.createTempDirectory("couv-bench").resolve("socket").toString();
    }

    @Override
    void reach(String address) throws IOException {
      SocketChannel.open(UnixDomainSocketAddress.of(address)).close();
    }

    @Override
    void forget(String address) throws IOException {
      Files.deleteIfExists(Path.of(address));
      Files.deleteIfExists(Path.of(address).getParent());
    }
  };

  private static final int PATIENCE_MILLIS = 1000;

  /// One that nobody has: a port, or a path.
  abstract String address() throws IOException;

  /// Fails as long as nobody is there.
  abstract void reach(String address) throws IOException;

  /// Removes what is left of it when the server has gone.
  void forget(String address) throws IOException {}

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return String.valueOf(socket.getLocalPort());
    }
  }

  private static InetSocketAddress at(String port) {
    return new InetSocketAddress("127.0.0.1", Integer.parseInt(port));
  }
}
