// SPDX-License-Identifier: Apache-2.0

/// Channels, queues, topics, keys, calls and pools across machines. NATS is the engine; no type of
/// its client is in what is exported.
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // the client of NATS has no descriptor
module dev.couv.cluster {
  requires transitive dev.couv;
  requires static transitive org.jspecify;
  requires io.nats.jnats;
  requires org.bouncycastle
      .lts
      .prov; // signs with nkeys, for the client of NATS, which cannot name it
  requires tools.jackson.databind;

  exports dev.couv.cluster;

  opens dev.couv.cluster to
      tools.jackson.databind; // which writes what was thrown, a record
  opens dev.couv.cluster.link to
      io.nats.jnats; // which makes the port to its socket by its name
}
