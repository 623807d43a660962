// SPDX-License-Identifier: Apache-2.0

/// A program that is a module itself.
module app {
  requires dev.couv;
  requires dev.couv.http;
}
