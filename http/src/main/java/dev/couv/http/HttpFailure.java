// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// A request that is answered with a failure: thrown by a handler, or by what it calls.
///
/// ```java
/// throw new HttpFailure(404, "no such user");
/// ```
public final class HttpFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /// Not in the serial form: who gets it elsewhere has the status.
  private final transient Response response;

  private final int status;

  /// Answers with that status, from 400 to 599, and the text.
  public HttpFailure(int status, String text) {
    this(Response.text(text).withStatus(checked(status)));
  }

  /// Answers with that: for a failure that has headers.
  public HttpFailure(Response response) {
    super(response.toString(), null, false, false);
    this.response = response;
    this.status = response.status();
  }

  private static int checked(int status) {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("no failure has the status " + status);
    }
    return status;
  }

  /// The status of the answer.
  public int status() {
    return status;
  }

  /// The answer.
  public Response response() {
    return response == null ? Response.of(status) : response;
  }
}
