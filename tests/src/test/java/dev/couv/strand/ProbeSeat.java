// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// A seat of nobody, to ask a source what it has: what it gets is taken.
public final class ProbeSeat<T> extends Seat<T> {
  private boolean asked;

  /// Whether the source has something now.
  @SuppressWarnings("unchecked")
  public static <T> boolean finds(Object source) {
    return ((Selectable<T>) source).poll(new ProbeSeat<>());
  }

  @Override
  public boolean isLost() {
    return asked;
  }

  @Override
  public boolean claim() {
    return false;
  }

  @Override
  public boolean claimToTell() {
    return false;
  }

  @Override
  public void receive(T value, Throwable error) {
    asked = true;
  }

  @Override
  public void deliver(T value, Throwable error) {
    throw new AssertionError("it was not claimed");
  }
}
