// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/// Jetty on virtual threads: `PORT`.
public final class JettyHttp {
  private JettyHttp() {}

  public static void main(String[] args) throws Exception {
    Server server = new Server(new VirtualThreadPool());
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.parseInt(args[0]));
    connector.setAcceptQueueSize(4096);
    server.addConnector(connector);
    ByteBuffer hello =
        ByteBuffer.wrap("Hello, World!".getBytes(StandardCharsets.US_ASCII)).asReadOnlyBuffer();
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            response.write(true, hello.slice(), callback);
            return true;
          }
        });
    server.start();
    server.join();
  }
}
