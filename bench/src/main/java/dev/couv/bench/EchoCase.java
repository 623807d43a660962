// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

/// So many connections, each with a message of so many bytes on its way.
record EchoCase(int connections, int bytes) {
  static EchoCase parse(String text) {
    String[] numbers = text.split("x", -1);
    if (numbers.length != 2) {
      throw new IllegalArgumentException("a case is CONNECTIONSxBYTES, not " + text);
    }
    return new EchoCase(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }

  @Override
  public String toString() {
    boolean kibibytes = bytes % 1024 == 0;
    return "%,d × %,d %s"
        .formatted(connections, kibibytes ? bytes / 1024 : bytes, kibibytes ? "KiB" : "B");
  }
}
