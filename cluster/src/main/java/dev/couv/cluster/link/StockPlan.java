// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.time.Duration;

/// How a durable queue is made.
///
/// @param stream its name at the server
/// @param subject what is put there is published as
/// @param patience a value that is neither acknowledged nor said to be worked on for so long is
///   delivered again
public record StockPlan(String stream, String subject, Duration patience, int replicas) {}
