// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// The requests of a coroutine that the tests use.
enum RequestKind {
  RANDOM,
  LOOKUP;

  RequestOperation make(String name) {
    return switch (this) {
      case RANDOM -> new RandomOperation(name);
      case LOOKUP -> new LookupOperation(name);
    };
  }
}
