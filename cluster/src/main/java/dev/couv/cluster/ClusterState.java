// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

/// How a cluster is connected.
///
/// ```
///                 lost                 close
///   CONNECTED ──────────▶ RECONNECTING ──────▶ CLOSED
///    │      ▲   found       │     │              ▲
///    │      └───────────────┘     │ gives up     │
///    │ close                      └──────────────┤
///    └─────────▶ DRAINING ───────────────────────┘
/// ```
public enum ClusterState {
  /// A server is there.
  CONNECTED,
  /// None is there, and they are tried one after the other.
  RECONNECTING,
  /// It was closed: what is under way is brought to its end.
  DRAINING,
  /// It is over: closed, refused by the servers, or tried as often as allowed.
  CLOSED
}
