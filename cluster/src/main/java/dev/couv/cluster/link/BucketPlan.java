// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a bucket is made.
///
/// @param lifetime after so long without a change a key is gone; null: never
public record BucketPlan(String name, @Nullable Duration lifetime, int replicas) {}
