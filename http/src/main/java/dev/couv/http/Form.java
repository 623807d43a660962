// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The fields of a form that a browser sent as the body of a request, decoded, in their order.
public final class Form {
  private static final String TYPE = "application/x-www-form-urlencoded";

  private final Query fields;

  private Form(Query fields) {
    this.fields = fields;
  }

  /// Reads the body.
  static Form of(Request request, int limit) throws IOException, HttpFailure {
    String type = request.header("content-type");
    if (type == null
        || !type.split(";", 2)[0].strip().equalsIgnoreCase(TYPE)
        || request.headers().contains("content-encoding")) {
      throw new HttpFailure(415, "no form, or not as " + TYPE + "\n");
    }
    // Bytes as characters: what is not ASCII is taken for UTF-8 by who decodes it.
    String text = new String(request.body().bytes(limit), ISO_8859_1);
    if (text.indexOf('\0') >= 0) {
      throw new HttpFailure(400, "a form with a zero\n");
    }
    return new Form(Query.of(text, 413));
  }

  /// The first value of that name; null if it is not there.
  public @Nullable String get(String name) {
    return fields.get(name);
  }

  /// All values of that name, in their order: of boxes that were ticked, for example.
  public List<String> all(String name) {
    return fields.all(name);
  }

  /// The names that are there, each once, in their order.
  public Set<String> names() {
    return fields.names();
  }

  /// How many fields there are, those of one name each by itself.
  public int size() {
    return fields.size();
  }

  /// The names: values may be secrets.
  @Override
  public String toString() {
    return "form of " + names();
  }
}
