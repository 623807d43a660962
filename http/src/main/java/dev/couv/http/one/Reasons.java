// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import io.netty.handler.codec.http.HttpResponseStatus;

/// What a status is called: for people who read along.
final class Reasons {
  private Reasons() {}

  static String of(int status) {
    return HttpResponseStatus.valueOf(status).reasonPhrase();
  }
}
