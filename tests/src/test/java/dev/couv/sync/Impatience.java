// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// For so many milliseconds only a loop waits for somebody to come to what nobody else has used, until
/// this is closed. In all other tests it is long: on a busy machine a thread may be slow to come.
public final class Impatience implements AutoCloseable {
  private static final String PROPERTY = "couv.deadlock.patience";

  private final String before = System.getProperty(PROPERTY, "1000");

  public Impatience(int millis) {
    System.setProperty(PROPERTY, String.valueOf(millis));
  }

  @Override
  public void close() {
    System.setProperty(PROPERTY, before);
  }
}
