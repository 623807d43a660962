// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The filters of a server, one in the other, and its routes in the innermost.
final class Filters implements HttpHandler {
  private final HttpHandler routes;

  /// Replaced and never changed: a request that has begun has those it began with.
  private List<HttpFilter> filters = List.of();

  Filters(HttpHandler routes) {
    this.routes = routes;
  }

  /// One more, inside of all others.
  void add(HttpFilter filter) {
    List<HttpFilter> more = new ArrayList<>(filters);
    more.add(Objects.requireNonNull(filter, "filter"));
    filters = List.copyOf(more);
  }

  @Override
  public Response handle(Request request) throws Exception {
    return handle(request, filters, 0);
  }

  private Response handle(Request request, List<HttpFilter> all, int index) throws Exception {
    if (index == all.size()) {
      return routes.handle(request);
    }
    HttpFilter filter = all.get(index);
    Next next = new Next(all, index + 1);
    try {
      Response response = filter.handle(request, next);
      return next.carriedOn(checked(response, filter, request));
    } catch (HttpFailure failure) {
      return next.carriedOn(failure.response());
    } catch (Throwable failed) {
      next.close(failed);
      throw failed;
    }
  }

  private static Response checked(@Nullable Response response, Object who, Request request) {
    if (response == null) {
      throw new NullPointerException(who + " answered null to " + request);
    }
    return response;
  }

  /// What is behind a filter, for one request; and what the answers have to close that came from there, which the filter may lose.
  private final class Next implements HttpHandler {
    private final List<HttpFilter> all;
    private final int index;
    private List<AutoCloseable> owed = List.of();

    Next(List<HttpFilter> all, int index) {
      this.all = all;
      this.index = index;
    }

    @Override
    public Response handle(Request request) throws Exception {
      Response response;
      try {
        Object who = index == all.size() ? "the handler" : all.get(index);
        response = checked(Filters.this.handle(request, all, index), who, request);
      } catch (HttpFailure failure) {
        response = failure.response();
      }
      if (!response.toClose().isEmpty()) {
        List<AutoCloseable> more = new ArrayList<>(response.toClose());
        more.addAll(owed);
        owed = more;
      }
      return response;
    }

    /// The answer of the filter, which closes what those have to close that it was made of.
    Response carriedOn(Response response) {
      Response carrying = response;
      for (AutoCloseable each : owed.reversed()) {
        if (carrying.toClose().stream().noneMatch(closed -> closed == each)) {
          carrying = carrying.closing(each);
        }
      }
      return carrying;
    }

    /// There is no answer.
    void close(Throwable because) {
      for (AutoCloseable each : owed) {
        try {
          each.close();
        } catch (Throwable failed) {
          if (failed != because) {
            because.addSuppressed(failed);
          }
        }
      }
    }
  }
}
