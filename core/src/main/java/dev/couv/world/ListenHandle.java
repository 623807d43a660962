// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// A socket to which connections come. One accepts at a time: the feature sees to that. Connections that come meanwhile are
/// kept, as many as its backlog says.
public interface ListenHandle<H extends StreamHandle> extends Handle {
  /// Waiting for the next connection.
  Request<? extends H> accept();
}
