// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.coro.Action;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Scope;
import dev.couv.fs.OpenFile;
import dev.couv.http.AccessLog;
import dev.couv.http.HttpFailure;
import dev.couv.http.HttpHandler;
import dev.couv.http.HttpLimits;
import dev.couv.http.Peer;
import dev.couv.http.Request;
import dev.couv.http.Response;
import dev.couv.http.ServerOptions;
import dev.couv.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// What the connections of a server share: who answers, who is told, and who looks after those that are silent.
///
/// ## Silence
///
/// No request arms a timer. A coroutine, while there are connections, asks each of them now and then whether it has been
/// silent for too long ([ServerConnection#look]).
public final class Service {
  private static final System.Logger LOG = System.getLogger("dev.couv.http");

  /// What is answered where a handler has failed.
  public static final Response INTERNAL =
      Response.text("something went wrong here\n").withStatus(500);

  private final ServerOptions options;
  private final HttpHandler handler;
  private final Scope scope;
  private final Duration lookEvery;
  private final Set<ServerConnection> connections = new LinkedHashSet<>();
  private final WarmFiles files = new WarmFiles();
  private @Nullable Coroutine<Void> watch;
  private boolean draining;

  /// In a coroutine of the loop. What is started for the service runs in the scope, and ends with the last connection.
  public Service(ServerOptions options, HttpHandler handler, Scope scope) {
    this.options = options;
    this.handler = handler;
    this.scope = scope;
    HttpLimits limits = options.limits();
    Duration shortest =
        limits.idle().compareTo(limits.sendTime()) < 0 ? limits.idle() : limits.sendTime();
    long millis = Math.clamp(shortest.toMillis() / 4, 20, 1000);
    this.lookEvery = Duration.ofMillis(millis);
  }

  /// How to serve.
  public ServerOptions options() {
    return options;
  }

  /// What clients may ask for.
  public HttpLimits limits() {
    return options.limits();
  }

  // ---- connections

  /// One more, until [#end].
  public void begin(ServerConnection connection) {
    connections.add(connection);
    if (draining) {
      connection.drain();
    }
    if (watch == null) {
      watch = scope.spawn(this::watch);
      watch.named("silence of HTTP connections");
    }
  }

  /// One less.
  public void end(ServerConnection connection) {
    connections.remove(connection);
  }

  /// What a connection does beside its own coroutine, which waits for something else.
  public void beside(Action action) {
    scope.spawn(action);
  }

  /// Ends by itself when there is none left, but not with each: the next is likely to come soon.
  private void watch() {
    do {
      Time.sleep(lookEvery);
      long now = Time.nanos();
      for (ServerConnection connection : List.copyOf(connections)) {
        connection.look(now);
      }
    } while (!connections.isEmpty());
    watch = null;
  }

  /// No answer is followed by another request.
  public void drain() {
    draining = true;
    List.copyOf(connections).forEach(ServerConnection::drain);
  }

  /// Whether the server ends.
  public boolean isDraining() {
    return draining;
  }

  // ---- requests

  /// Opens a file that is to be sent: the caller's, who closes it.
  public OpenFile open(Path path) throws IOException {
    return files.open(path);
  }

  /// The answer, whatever the handler does: its failure is one, too. Only who is cancelled leaves this otherwise.
  public Response answer(Request request) {
    try {
      Response response = handler.handle(request);
      if (response != null) {
        return response;
      }
      failed(request, new NullPointerException("the handler of " + request + " answered null"));
      return INTERNAL;
    } catch (HttpFailure failure) {
      return failure.response();
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Exception | Error failure) {
      if (!(request.body() instanceof ComingBody body && body.failure() == failure)) {
        failed(request, failure);
      }
      return INTERNAL;
    }
  }

  /// An answer is over: what was to be closed with it is, also behind one that is cancelled while it waits.
  public void over(Request request, Response response) {
    closeAll(request, response.toClose().iterator());
  }

  private void closeAll(Request request, Iterator<AutoCloseable> left) {
    if (left.hasNext()) {
      try {
        close(request, left.next());
      } finally {
        closeAll(request, left);
      }
    }
  }

  private void close(Request request, AutoCloseable resource) {
    try {
      resource.close();
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Exception | Error failed) {
      failed(request, failed);
    }
  }

  /// Tells of a failure that is nobody else's business.
  public void failed(Request request, Throwable failure) {
    BiConsumer<? super Request, ? super Throwable> told = options.onFailure();
    if (told != null) {
      try {
        told.accept(request, failure);
        return;
      } catch (Cancelled | Resumed leaving) {
        throw leaving;
      } catch (Exception | Error broken) {
        if (broken != failure) {
          failure.addSuppressed(broken);
        }
      }
    }
    if (failure instanceof IOException) {
      log(Level.INFO, request + " has failed: " + failure, null);
    } else {
      log(Level.ERROR, request + " has failed", failure);
    }
  }

  /// Whether somebody wants to know of accesses.
  public boolean isLogged() {
    return options.accessLog() != null;
  }

  /// Tells of an access. `since` is when the request was here, by `Time.nanos()`.
  public void served(@Nullable Request request, Peer peer, int status, long bytes, long since) {
    AccessLog log = options.accessLog();
    if (log != null) {
      Duration time = Duration.ofNanos(Time.nanos() - since);
      try {
        log.served(new AccessLog.Access(request, peer, status, bytes, time, Time.now()));
      } catch (Cancelled | Resumed leaving) {
        throw leaving;
      } catch (Exception | Error broken) {
        log(Level.ERROR, "the access log has failed", broken);
      }
    }
  }

  /// On another thread, as everything that logs, and whoever cancels meanwhile.
  private static void log(Level level, String message, @Nullable Throwable failure) {
    try {
      Coroutine.protect(
          () ->
              Loop.offload(
                  () -> {
                    LOG.log(level, message, failure);
                    return true;
                  }));
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Exception | Error brokenLogger) {
      // There is no other place to tell it, and the server goes on.
    }
  }
}
