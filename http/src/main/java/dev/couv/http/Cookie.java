// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A cookie for a browser to keep: [Response#withCookie] sends it.
///
/// ```java
/// Response.redirect("/").withCookie(Cookie.of("session", id).withSecure(true).withMaxAge(Duration.ofDays(7)));
/// ```
///
/// What could add a field to the head or an attribute to the cookie, or what browsers would not keep, is refused where it is set.
///
/// @param name a word of letters, digits and a few signs
/// @param value visible ASCII without quotes, commas, semicolons and backslashes
/// @param path of this and all below the browser sends it; begins with a slash
/// @param domain whose hosts get it, too; empty for the host that sets it alone
/// @param maxAge how long it is kept; null for as long as the browser runs, zero to have it forgotten
/// @param secure whether it is sent over TLS only
/// @param httpOnly whether scripts of the page do not see it
/// @param sameSite with which requests of other sites it is sent
public record Cookie(
    String name,
    String value,
    String path,
    String domain,
    @Nullable Duration maxAge,
    boolean secure,
    boolean httpOnly,
    SameSite sameSite) {
  /// Of name and value together: browsers do not keep more.
  private static final int LONGEST = 4096;

  private static final int LONGEST_ATTRIBUTE = 1024;

  /// Refuses what is no cookie.
  public Cookie {
    Objects.requireNonNull(sameSite, "sameSite");
    if (!HeaderChars.isToken(name)) {
      throw new IllegalArgumentException(
          "not a name that a cookie can have: letters, digits and some signs");
    }
    if (!isMadeOf(value, "\",;\\ ") || name.length() + value.length() > LONGEST) {
      throw new IllegalArgumentException(
          "not a value that the cookie "
              + name
              + " can have: no spaces, commas, semicolons, quotes, nor"
              + " anything beyond ASCII"); // may be a secret
    }
    if (!path.startsWith("/") || !isMadeOf(path, ";") || path.length() > LONGEST_ATTRIBUTE) {
      throw new IllegalArgumentException("no path of the cookie " + name);
    }
    if (!isDomain(domain) || domain.length() > LONGEST_ATTRIBUTE) {
      throw new IllegalArgumentException("no domain of the cookie " + name);
    }
    if (maxAge != null && maxAge.isNegative()) {
      throw new IllegalArgumentException("negative age of the cookie " + name + ": " + maxAge);
    }
  }

  /// A cookie of this host, for all its paths, for as long as the browser runs, which no script sees, and which requests of other sites
  /// do not have ([SameSite#LAX]). Where there is TLS, it should be [secure][#withSecure].
  public static Cookie of(String name, String value) {
    return new Cookie(name, value, "/", "", null, false, true, SameSite.LAX);
  }

  /// With that value.
  public Cookie withValue(String newValue) {
    return new Cookie(name, newValue, path, domain, maxAge, secure, httpOnly, sameSite);
  }

  /// For that path and all below it.
  public Cookie withPath(String newPath) {
    return new Cookie(name, value, newPath, domain, maxAge, secure, httpOnly, sameSite);
  }

  /// For all hosts of that domain; empty for this host alone.
  public Cookie withDomain(String newDomain) {
    return new Cookie(name, value, path, newDomain, maxAge, secure, httpOnly, sameSite);
  }

  /// Kept for so long; null for as long as the browser runs. Zero has the browser forget the cookie of that name, path and domain.
  public Cookie withMaxAge(@Nullable Duration newMaxAge) {
    return new Cookie(name, value, path, domain, newMaxAge, secure, httpOnly, sameSite);
  }

  /// Whether it is sent over TLS only.
  public Cookie withSecure(boolean newSecure) {
    return new Cookie(name, value, path, domain, maxAge, newSecure, httpOnly, sameSite);
  }

  /// Whether scripts of the page do not see it.
  public Cookie withHttpOnly(boolean newHttpOnly) {
    return new Cookie(name, value, path, domain, maxAge, secure, newHttpOnly, sameSite);
  }

  /// With which requests of other sites it is sent.
  public Cookie withSameSite(SameSite newSameSite) {
    return new Cookie(name, value, path, domain, maxAge, secure, httpOnly, newSameSite);
  }

  /// As `Set-Cookie` has it.
  ///
  /// @throws IllegalArgumentException if browsers do not keep it, because what it says does not go together
  String header() {
    if (!secure && (sameSite == SameSite.NONE || hasPrefix("__Secure-") || hasPrefix("__Host-"))) {
      throw new IllegalArgumentException("the cookie " + name + " must be a secure one");
    }
    if (hasPrefix("__Host-") && !(path.equals("/") && domain.isEmpty())) {
      throw new IllegalArgumentException("the cookie " + name + " must be one of its host");
    }
    StringBuilder text = new StringBuilder(name).append('=').append(value);
    text.append("; Path=").append(path);
    if (!domain.isEmpty()) {
      text.append("; Domain=").append(domain);
    }
    Duration age = maxAge;
    if (age != null) {
      // Less than a second is not yet over.
      text.append("; Max-Age=")
          .append(age.getSeconds() + (age.getNano() > 0 && age.getSeconds() == 0 ? 1 : 0));
    }
    text.append(secure ? "; Secure" : "").append(httpOnly ? "; HttpOnly" : "");
    return text.append("; SameSite=").append(sameSite.word()).toString();
  }

  private boolean hasPrefix(String prefix) {
    return name.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  /// Visible ASCII and the space, without those.
  private static boolean isMadeOf(String text, String without) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7f && without.indexOf(c) < 0);
  }

  private static boolean isDomain(String text) {
    return text.chars()
        .allMatch(c -> c == '.' || c == '-' || (c < 0x7f && Character.isLetterOrDigit(c)));
  }

  /// Its name: the value may be a secret.
  @Override
  public String toString() {
    return "cookie " + name;
  }
}
