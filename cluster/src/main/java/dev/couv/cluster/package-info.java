// SPDX-License-Identifier: Apache-2.0

/// What processes on several machines have in common: channels, queues, topics, keys, objects,
/// calls and pools.
package dev.couv.cluster;
