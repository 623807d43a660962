// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The decoded parameters of a query, in their order.
final class Query {
  /// More than a form has; so that nobody searches long.
  private static final int MOST = 1000;

  private final List<String> names = new ArrayList<>();
  private final List<String> values = new ArrayList<>();

  /// What is answered to too many.
  private final int refusal;

  private Query(int refusal) {
    this.refusal = refusal;
  }

  static Query of(String text) throws HttpFailure {
    return of(text, 400);
  }

  /// The refusal is the status for who sends too many.
  static Query of(String text, int refusal) throws HttpFailure {
    Query query = new Query(refusal);
    int from = 0;
    while (from < text.length()) {
      int and = text.indexOf('&', from);
      int end = and < 0 ? text.length() : and;
      if (end > from) {
        query.add(text.substring(from, end));
      }
      from = end + 1;
    }
    return query;
  }

  private void add(String parameter) throws HttpFailure {
    if (names.size() >= MOST) {
      throw new HttpFailure(refusal, "more than " + MOST + " parameters");
    }
    int equals = parameter.indexOf('=');
    names.add(Percent.decode(equals < 0 ? parameter : parameter.substring(0, equals), true));
    values.add(equals < 0 ? "" : Percent.decode(parameter.substring(equals + 1), true));
  }

  @Nullable String get(String name) {
    int at = names.indexOf(name);
    return at < 0 ? null : values.get(at);
  }

  List<String> all(String name) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(name)) {
        found.add(values.get(i));
      }
    }
    return found;
  }

  Set<String> names() {
    return Collections.unmodifiableSet(new LinkedHashSet<>(names));
  }

  int size() {
    return names.size();
  }
}
