// SPDX-License-Identifier: Apache-2.0

/// Couv: coroutines on libuv. A program is straight-line Java; every call that waits suspends only
/// the coroutine that made it.
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the tools that the qualified exports name are built after this
module dev.couv {
  requires transitive java.base; // `import module dev.couv` is enough, in ordinary classes too
  requires static transitive org.jspecify;
  requires static jdk.jfr; // where it is there, coroutines are recorded

  uses dev.couv.uv.BundledLibrary; // where there is one, no libuv need be installed

  exports dev.couv.error;
  exports dev.couv.coro;
  exports dev.couv.stream;
  exports dev.couv.time;
  exports dev.couv.net;
  exports dev.couv.signal;
  exports dev.couv.sync;
  exports dev.couv.pool;
  exports dev.couv.poll;
  exports dev.couv.process;
  exports dev.couv.info;
  exports dev.couv.fs;
  exports dev.couv.tty;

  // Not for users: the layers below the coroutines, open to the tools that test and measure them.
  exports dev.couv.uv to
      dev.couv.libuv,
      dev.couv.testing,
      dev.couv.cli,
      dev.couv.bench;
  exports dev.couv.loop to
      dev.couv.testing,
      dev.couv.cli,
      dev.couv.bench,
      dev.couv.inspect;
  exports dev.couv.strand to
      dev.couv.testing,
      dev.couv.cli,
      dev.couv.bench,
      dev.couv.inspect;
  exports dev.couv.world to
      dev.couv.testing;
}
