// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

/// Works on what comes out of a queue.
@FunctionalInterface
public interface JobHandler<T> {
  /// Works on one value. When it returns, the value is done with; when it throws, the value goes to
  /// another.
  void handle(T value) throws Exception;
}
