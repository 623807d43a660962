// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// What a path has in the places that its route names.
///
/// @param names in the order of the path
@SuppressWarnings("ArrayRecordComponent") // never compared
record PathValues(String[] names, String[] values) {
  static final PathValues NONE = new PathValues(new String[0], new String[0]);

  String get(String name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return values[i];
      }
    }
    throw new IllegalArgumentException("the route has no {" + name + "}");
  }
}
