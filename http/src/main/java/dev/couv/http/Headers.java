// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The headers of a message, in the order they came or were added. Names are compared without regard to case, and one may
/// be there several times. It does not change: [#with] and [#plus] make another one.
///
/// A name or a value with which a message could be torn (a line end, a control, in a name anything but letters, digits and
/// a few signs) is refused wherever headers are made.
public final class Headers implements Iterable<Header> {
  /// No header at all.
  public static final Headers EMPTY = new Headers(new String[0], 0);

  /// Names and values in turn. Never written to once it is here.
  private final String[] fields;

  /// How many of the array are in use.
  private final int used;

  private Headers(String[] fields, int used) {
    this.fields = fields;
    this.used = used;
  }

  /// Names and values in turn: `Headers.of("Accept", "text/html", "Accept-Language", "de")`.
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("a name without a value");
    }
    Builder builder = builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return builder.build();
  }

  /// For headers that come one after the other.
  public static Builder builder() {
    return new Builder();
  }

  // ---- asking

  /// The first value of that name; null if there is none.
  public @Nullable String get(String name) {
    int at = indexOf(name, 0);
    return at < 0 ? null : fields[at + 1];
  }

  /// All values of that name, in their order.
  public List<String> all(String name) {
    int at = indexOf(name, 0);
    if (at < 0) {
      return List.of();
    }
    List<String> values = new ArrayList<>(2);
    for (; at >= 0; at = indexOf(name, at + 2)) {
      values.add(fields[at + 1]);
    }
    return values;
  }

  /// Whether there is a header of that name.
  public boolean contains(String name) {
    return indexOf(name, 0) >= 0;
  }

  /// Whether one of the values of that name has the word in it, as one of a list with commas, in any case: `close` in
  /// `Connection: TE, close`.
  public boolean contains(String name, String word) {
    for (int at = indexOf(name, 0); at >= 0; at = indexOf(name, at + 2)) {
      if (hasWord(fields[at + 1], word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasWord(String list, String word) {
    int from = 0;
    while (from <= list.length()) {
      int comma = list.indexOf(',', from);
      int to = comma < 0 ? list.length() : comma;
      int start = from;
      int end = to;
      while (start < end && isBlank(list.charAt(start))) {
        start++;
      }
      while (end > start && isBlank(list.charAt(end - 1))) {
        end--;
      }
      if (end - start == word.length() && list.regionMatches(true, start, word, 0, end - start)) {
        return true;
      }
      from = to + 1;
    }
    return false;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /// How many there are.
  public int size() {
    return used / 2;
  }

  /// Whether there is none.
  public boolean isEmpty() {
    return used == 0;
  }

  /// The name of that one, in the order they are in.
  public String name(int index) {
    return fields[2 * Objects.checkIndex(index, size())];
  }

  /// The value of that one, in the order they are in.
  public String value(int index) {
    return fields[2 * Objects.checkIndex(index, size()) + 1];
  }

  private int indexOf(String name, int from) {
    for (int i = from; i < used; i += 2) {
      if (isSame(fields[i], name)) {
        return i;
      }
    }
    return -1;
  }

  /// Most names are constants on both sides, and most others have another length.
  private static boolean isSame(String one, String other) {
    return one == other || (one.length() == other.length() && one.equalsIgnoreCase(other));
  }

  /// With those, each in place of all of the same name.
  public Headers with(Headers others) {
    if (used == 0) {
      return others;
    }
    Builder all = builder();
    for (int i = 0; i < used; i += 2) {
      if (!others.contains(fields[i])) {
        all.add(fields[i], fields[i + 1]);
      }
    }
    others.forEach(header -> all.add(header.name(), header.value()));
    return all.build();
  }

  @Override
  public Iterator<Header> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < used;
      }

      @Override
      public Header next() {
        if (next >= used) {
          throw new NoSuchElementException();
        }
        Header header = new Header(fields[next], fields[next + 1]);
        next += 2;
        return header;
      }
    };
  }

  // ---- others like it

  /// With that header, in place of those of the same name.
  public Headers with(String name, String value) {
    return contains(name) ? without(name).plus(name, value) : plus(name, value);
  }

  /// With that header, after those of the same name.
  public Headers plus(String name, String value) {
    HeaderChars.check(name, value);
    String[] more = Arrays.copyOf(fields, used + 2);
    more[used] = name;
    more[used + 1] = value;
    return new Headers(more, used + 2);
  }

  /// Without those of that name.
  public Headers without(String name) {
    if (!contains(name)) {
      return this;
    }
    String[] less = new String[used];
    int kept = 0;
    for (int i = 0; i < used; i += 2) {
      if (!isSame(fields[i], name)) {
        less[kept++] = fields[i];
        less[kept++] = fields[i + 1];
      }
    }
    return new Headers(less, kept);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Headers that
        && Arrays.equals(fields, 0, used, that.fields, 0, that.used);
  }

  @Override
  public int hashCode() {
    return Arrays.asList(fields).subList(0, used).hashCode();
  }

  /// As they are sent, one in a line.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Header header : this) {
      text.append(header).append('\n');
    }
    return text.toString();
  }

  /// Collects headers.
  public static final class Builder {
    private String[] fields = new String[16];
    private int used;

    private Builder() {}

    /// One more, after all others; returns itself.
    public Builder add(String name, String value) {
      HeaderChars.check(name, value);
      if (used == fields.length) {
        fields = Arrays.copyOf(fields, 2 * used);
      }
      fields[used++] = name;
      fields[used++] = value;
      return this;
    }

    /// How many there are.
    public int size() {
      return used / 2;
    }

    /// What was collected so far. What comes later is not in it.
    public Headers build() {
      if (used == 0) {
        return EMPTY;
      }
      // The array is shared: what is added later comes behind what these headers see.
      return new Headers(fields, used);
    }
  }
}
