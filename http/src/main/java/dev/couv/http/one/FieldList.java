// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where the decoder puts the headers of a message: into ours. It has what the decoder asks for and no more; in particular
/// nothing is ever taken out again but by [#remove(String)] and [#set(String, Object)], which the decoder does to
/// `Content-Length`.
final class FieldList extends HttpHeaders {
  private final int most;
  private Headers.Builder builder = Headers.builder();

  /// Takes no more than that many headers.
  FieldList(int most) {
    this.most = most;
  }

  Headers headers() {
    return builder.build();
  }

  @Override
  public HttpHeaders add(CharSequence name, Object value) {
    if (builder.size() >= most) {
      throw new TooManyHeaders(most);
    }
    builder.add(name.toString(), value.toString());
    return this;
  }

  @Override
  public HttpHeaders add(String name, Object value) {
    return add((CharSequence) name, value);
  }

  @Override
  public HttpHeaders add(String name, Iterable<?> values) {
    for (Object value : values) {
      add(name, value);
    }
    return this;
  }

  @Override
  public HttpHeaders set(String name, Object value) {
    return remove(name).add(name, value);
  }

  @Override
  public HttpHeaders set(String name, Iterable<?> values) {
    return remove(name).add(name, values);
  }

  @Override
  public HttpHeaders remove(String name) {
    Headers before = builder.build();
    if (before.contains(name)) {
      Headers.Builder after = Headers.builder();
      for (int i = 0; i < before.size(); i++) {
        if (!before.name(i).equalsIgnoreCase(name)) {
          after.add(before.name(i), before.value(i));
        }
      }
      builder = after;
    }
    return this;
  }

  @Override
  public HttpHeaders clear() {
    builder = Headers.builder();
    return this;
  }

  // ---- asking

  @Override
  public @Nullable String get(String name) {
    return builder.build().get(name);
  }

  @Override
  public @Nullable String get(CharSequence name) {
    return builder.build().get(name.toString());
  }

  @Override
  public List<String> getAll(String name) {
    return builder.build().all(name);
  }

  @Override
  public boolean contains(String name) {
    return builder.build().contains(name);
  }

  @Override
  public boolean contains(CharSequence name) {
    return builder.build().contains(name.toString());
  }

  @Override
  public boolean isEmpty() {
    return builder.size() == 0;
  }

  @Override
  public int size() {
    return builder.size();
  }

  @Override
  public List<Map.Entry<String, String>> entries() {
    List<Map.Entry<String, String>> entries = new ArrayList<>();
    headers().forEach(header -> entries.add(Map.entry(header.name(), header.value())));
    return entries;
  }

  @Override
  @SuppressWarnings("deprecation") // abstract all the same
  public Iterator<Map.Entry<String, String>> iterator() {
    return entries().iterator();
  }

  @Override
  public Iterator<Map.Entry<CharSequence, CharSequence>> iteratorCharSequence() {
    List<Map.Entry<CharSequence, CharSequence>> entries = new ArrayList<>();
    headers().forEach(header -> entries.add(Map.entry(header.name(), header.value())));
    return entries.iterator();
  }

  @Override
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    headers().forEach(header -> names.add(header.name()));
    return names;
  }

  // ---- what the decoder does not ask for

  @Override
  public @Nullable Integer getInt(CharSequence name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getInt(CharSequence name, int otherwise) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Short getShort(CharSequence name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public short getShort(CharSequence name, short otherwise) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Long getTimeMillis(CharSequence name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long getTimeMillis(CharSequence name, long otherwise) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HttpHeaders addInt(CharSequence name, int value) {
    return add(name, Integer.toString(value));
  }

  @Override
  public HttpHeaders addShort(CharSequence name, short value) {
    return add(name, Short.toString(value));
  }

  @Override
  public HttpHeaders setInt(CharSequence name, int value) {
    return set(name.toString(), Integer.toString(value));
  }

  @Override
  public HttpHeaders setShort(CharSequence name, short value) {
    return set(name.toString(), Short.toString(value));
  }
}
