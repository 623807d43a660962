// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.nio.file.Path;
import java.util.Objects;

/// Who a process is to the servers of its cluster.
public sealed interface Credentials {
  /// Nobody: the servers ask for nothing.
  static Credentials none() {
    return Nobody.NOBODY;
  }

  /// A name and a password.
  static Credentials user(String name, String password) {
    return new User(name, password);
  }

  /// A token that all share.
  static Credentials token(String token) {
    return new Token(token);
  }

  /// A file with a JWT and the seed of its key, as `nsc` writes them; read whenever a server asks.
  static Credentials file(Path file) {
    return new CredentialsFile(file);
  }

  /// The seed of an NKey, which begins with `SU`.
  static Credentials seed(String seed) {
    return new Seed(seed);
  }

  /// Nobody in particular.
  enum Nobody implements Credentials {
    /// The only one.
    NOBODY
  }

  /// A name and a password.
  record User(String name, String password) implements Credentials {
    /// Checks that both are there.
    public User {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(password, "password");
    }

    @Override
    public String toString() {
      return "user " + name;
    }
  }

  /// A token that all share.
  record Token(String token) implements Credentials {
    /// Checks that it is there.
    public Token {
      Objects.requireNonNull(token, "token");
    }

    @Override
    public String toString() {
      return "a token";
    }
  }

  /// A file with a JWT and the seed of its key.
  record CredentialsFile(Path file) implements Credentials {
    /// Checks that it is named.
    public CredentialsFile {
      Objects.requireNonNull(file, "file");
    }
  }

  /// The seed of an NKey.
  record Seed(String seed) implements Credentials {
    /// Checks that it is there.
    public Seed {
      Objects.requireNonNull(seed, "seed");
    }

    @Override
    public String toString() {
      return "an nkey";
    }
  }
}
