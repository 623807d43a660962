// SPDX-License-Identifier: Apache-2.0

/// Looks into running programs on Couv: which there are, what their coroutines wait for, a page that shows it live, and
/// timelines of whole runs.
@org.jspecify.annotations.NullMarked
module dev.couv.inspect {
  requires dev.couv;
  requires java.instrument;
  requires jdk.attach;
  requires jdk.httpserver;
  requires static transitive org.jspecify;

  exports dev.couv.inspect;
}
