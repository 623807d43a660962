// SPDX-License-Identifier: Apache-2.0

/// How messages, queues, keys and objects get from one process to another: by NATS, or within one
/// process.
package dev.couv.cluster.link;
