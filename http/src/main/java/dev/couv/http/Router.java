// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds who answers: by the path, piece by piece, then by the method. A piece as it is written goes before `{name}`, and
/// that before `{name...}`, which is all that is left of the path.
final class Router implements HttpHandler {
  private final Piece root = new Piece();

  /// Paths without names, which need not be taken apart.
  private final Map<String, Target> plain = new HashMap<>();

  /// One or more pieces of paths: what may come behind.
  private static final class Piece {
    final Map<String, Piece> literal = new HashMap<>();
    @Nullable Piece named;
    @Nullable Target here;
    @Nullable Target rest;
  }

  /// A path: who answers which method.
  private static final class Target {
    final String[] names;
    final Map<String, HttpHandler> handlers = new HashMap<>();
    String allowed = "";

    Target(String... names) {
      this.names = names;
    }
  }

  /// Refuses what is there already, and what cannot be a path.
  void add(String method, String pattern, HttpHandler handler) {
    if (!method.equals("*") && !HeaderChars.isToken(method)) {
      throw new IllegalArgumentException("no method: " + method);
    }
    if (!method.equals(method.toUpperCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "methods are in capitals, and no request has this one: " + method);
    }
    if (!pattern.startsWith("/")) {
      throw new IllegalArgumentException("a route begins with a slash: " + pattern);
    }
    Target target = target(pattern);
    if (target.handlers.putIfAbsent(method, handler) != null) {
      throw new IllegalArgumentException("there is a route " + method + " " + pattern + " already");
    }
    target.allowed = allowed(target);
  }

  private Target target(String pattern) {
    List<String> names = new ArrayList<>();
    Piece piece = root;
    String[] words = pattern.substring(1).split("/", -1);
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      if (word.startsWith("{") && word.endsWith("...}")) {
        if (i != words.length - 1) {
          throw new IllegalArgumentException(word + " is not at the end of " + pattern);
        }
        names.add(name(word, 4, names));
        if (piece.rest == null) {
          piece.rest = new Target(names.toArray(String[]::new));
        }
        return sameNames(piece.rest, names, pattern);
      } else if (word.startsWith("{") && word.endsWith("}")) {
        names.add(name(word, 1, names));
        if (piece.named == null) {
          piece.named = new Piece();
        }
        piece = piece.named;
      } else if (word.indexOf('{') >= 0 || word.indexOf('}') >= 0) {
        throw new IllegalArgumentException("a name is a whole piece of a path: " + pattern);
      } else {
        checkWord(word, pattern);
        piece = piece.literal.computeIfAbsent(word, _ -> new Piece());
      }
    }
    if (piece.here == null) {
      piece.here = new Target(names.toArray(String[]::new));
    }
    if (names.isEmpty()) {
      plain.put(pattern, piece.here);
    }
    return sameNames(piece.here, names, pattern);
  }

  /// What would never be met, and is written otherwise.
  private static void checkWord(String word, String pattern) {
    if (word.startsWith(":")) {
      throw new IllegalArgumentException(
          "a name is written {" + word.substring(1) + "}: " + pattern);
    }
    if (word.equals("*") || word.equals("**")) {
      throw new IllegalArgumentException("what is left of a path is written {name...}: " + pattern);
    }
    if (word.indexOf('?') >= 0 || word.indexOf('#') >= 0) {
      throw new IllegalArgumentException("a route is a path without a query: " + pattern);
    }
  }

  private static String name(String word, int behind, List<String> names) {
    String name = word.substring(1, word.length() - behind);
    if (name.indexOf('{') >= 0 || name.indexOf('}') >= 0) {
      throw new IllegalArgumentException("a name is a whole piece of a path: " + word);
    }
    if (name.isEmpty() || names.contains(name)) {
      throw new IllegalArgumentException("no name, or a second one: " + word);
    }
    return name;
  }

  private static Target sameNames(Target target, List<String> names, String pattern) {
    if (!List.of(target.names).equals(names)) {
      throw new IllegalArgumentException(pattern + " has other names than a route before it");
    }
    return target;
  }

  private static String allowed(Target target) {
    TreeSet<String> methods = new TreeSet<>(target.handlers.keySet());
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    methods.add("OPTIONS");
    return String.join(", ", methods);
  }

  @Override
  public Response handle(Request request) throws Exception {
    String path = request.path();
    Target target = plain.get(path);
    if (target == null) {
      target = find(request, path);
    }
    String method = request.method();
    HttpHandler handler = target.handlers.get(method);
    if (handler == null) {
      handler = other(target, method);
    }
    return handler.handle(request);
  }

  private static HttpHandler other(Target target, String method) throws HttpFailure {
    HttpHandler handler = method.equals("HEAD") ? target.handlers.get("GET") : null;
    if (handler == null) {
      handler = target.handlers.get("*");
    }
    if (handler != null) {
      return handler;
    }
    if (method.equals("OPTIONS")) {
      return _ -> Response.of(204).withHeader("Allow", target.allowed);
    }
    Response response = Response.text("not for " + method + "\n").withStatus(405);
    throw new HttpFailure(response.withHeader("Allow", target.allowed));
  }

  private Target find(Request request, String path) throws HttpFailure {
    if (path.equals("*") && request.method().equals("OPTIONS")) {
      Target everything = new Target();
      everything.allowed = "GET, HEAD, OPTIONS";
      return everything;
    }
    String[] words = path.startsWith("/") ? path.substring(1).split("/", -1) : new String[0];
    for (int i = 0; i < words.length; i++) {
      words[i] = Percent.decode(words[i], false);
      if (hasDots(words[i])) {
        throw new HttpFailure(400, "a path with dots\n");
      }
    }
    List<String> values = new ArrayList<>(2);
    Target target = words.length == 0 ? null : find(root, words, 0, values);
    if (target == null) {
      boolean looks = request.method().equals("GET") || request.method().equals("HEAD");
      if (looks && words.length > 0 && isDirectory(words)) {
        throw new HttpFailure(StaticFiles.toDirectory(request));
      }
      throw new HttpFailure(404, "nothing at " + path + "\n");
    }
    request.values(new PathValues(target.names, values.toArray(String[]::new)));
    return target;
  }

  /// Whether with a slash behind it, it would be where files are. Nothing that is has a backslash, which browsers take for a slash: behind the first
  /// one it would be another host.
  private boolean isDirectory(String... words) {
    for (String word : words) {
      if (word.indexOf('\\') >= 0) {
        return false;
      }
    }
    String[] more = Arrays.copyOf(words, words.length + 1);
    more[words.length] = "";
    Target target = find(root, more, 0, new ArrayList<>(2));
    return target != null && target.handlers.get("GET") instanceof StaticFiles;
  }

  /// Whether a part of it is `.` or `..`: also behind a slash that was encoded, which is one to whoever makes a path of the
  /// value.
  private static boolean hasDots(String word) {
    int from = 0;
    for (int i = 0; i <= word.length(); i++) {
      if (i == word.length() || word.charAt(i) == '/' || word.charAt(i) == '\\') {
        int length = i - from;
        if (length > 0 && length <= 2 && word.charAt(from) == '.' && word.charAt(i - 1) == '.') {
          return true;
        }
        from = i + 1;
      }
    }
    return false;
  }

  /// As deep as the longest pattern, whatever the path is.
  private static @Nullable Target find(Piece piece, String[] words, int at, List<String> values) {
    if (at == words.length) {
      return piece.here;
    }
    Piece literal = piece.literal.get(words[at]);
    Target found = literal == null ? null : find(literal, words, at + 1, values);
    if (found == null && piece.named != null && !words[at].isEmpty()) {
      int before = values.size();
      values.add(words[at]);
      found = find(piece.named, words, at + 1, values);
      if (found == null) {
        values.subList(before, values.size()).clear();
      }
    }
    if (found == null && piece.rest != null) {
      values.add(String.join("/", List.of(words).subList(at, words.length)));
      found = piece.rest;
    }
    return found;
  }
}
