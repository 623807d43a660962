// SPDX-License-Identifier: Apache-2.0

/// libuv itself, for Linux on x86-64 and arm64. A program that has this module installs nothing: Couv finds it as
/// a service, before the system's library.
@org.jspecify.annotations.NullMarked
module dev.couv.libuv {
  requires dev.couv;
  requires static org.jspecify;

  provides dev.couv.uv.BundledLibrary with
      dev.couv.libuv.PackagedLibuv;
}
