// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import dev.couv.coro.Await;
import dev.couv.coro.Loop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.postgresql.ds.PGSimpleDataSource;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/// Each library looks up a name. Nobody listens at the port: it is the name that counts.
final class LookupsProgram {
  private static final int NOBODY = 1;

  private LookupsProgram() {}

  public static void main(String[] arguments) throws Exception {
    Loop.run(
        () -> {
          sendWith(HttpClient.newHttpClient());
          callWith(new OkHttpClient());
          try (RedisClient client = RedisClient.create("jedis.test", NOBODY)) {
            client.ping();
          } catch (JedisException refused) {
            // as it should be
          }
          connectTo("postgres.test");
        });
    System.exit(0); // the clients' threads would wait for more
  }

  private static void sendWith(HttpClient client) throws Exception {
    try (client) {
      client.send(request("send.test"), BodyHandlers.discarding());
    } catch (IOException refused) {
      // as it should be
    }
    try (HttpClient other = HttpClient.newHttpClient()) {
      Await.stage(other.sendAsync(request("send-async.test"), BodyHandlers.discarding()));
    } catch (IOException refused) {
      // as it should be
    }
  }

  private static HttpRequest request(String host) {
    return HttpRequest.newBuilder(URI.create("http://" + host + ":" + NOBODY)).build();
  }

  private static void callWith(OkHttpClient client) {
    Request request = new Request.Builder().url("http://okhttp.test:" + NOBODY).build();
    try (Response response = client.newCall(request).execute()) {
      System.out.println("somebody is there: " + response);
    } catch (IOException refused) {
      // as it should be
    }
  }

  private static void connectTo(String host) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {host});
    source.setPortNumbers(new int[] {NOBODY});
    source.setUser("nobody");
    try (Connection connection = source.getConnection()) {
      System.out.println("somebody is there: " + connection);
    } catch (SQLException refused) {
      // as it should be
    }
  }
}
