// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who takes gzip.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class AcceptEncodingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | true | false",
        "GZip | true | false",
        "x-gzip | true | false",
        "deflate, gzip;q=1.0, *;q=0.5 | true | false",
        "br , gzip ; q=0.1 | true | false",
        "* | true | false",
        "*;q=0.3 | true | false",
        "gzip;q=0 | false | false",
        "gzip;Q=0.000, * | false | false",
        "*, gzip;q=0 | false | false",
        "br | false | false",
        "'' | false | false",
        "gzip;q=0.5, identity | false | false",
        "gzip;q=0.5, identity;q=0.5 | true | false",
        "gzip, identity;q=0 | true | true",
        "identity;q=0 | false | true",
        "*;q=0 | false | true",
        "gzip, *;q=0 | true | true",
        "identity, *;q=0 | false | false",
        "gzip;q=x | false | false",
        "gzip;q= | false | false",
        "gzip;q=-1 | false | false",
        "gzip;q=2 | false | false",
        "gzip;q=1.999 | true | false",
        "gzip;q=0.0001 | false | false",
        "gzip;q=0.٣ | false | false",
        "gzip;level=9 | false | false",
        "gzip;q=0.5;q=1 | false | false",
        "gzipx, xgzip | false | false",
        "',;,;;q,=' | false | false"
      })
  void isUnderstood(String header, boolean gzip, boolean refuses) {
    AcceptEncoding accepted = AcceptEncoding.of(List.of(header));

    assertEquals(gzip, accepted.wantsGzip());
    assertEquals(refuses, accepted.refusesIdentity());
  }

  @Test
  void severalHeadersAreOneList() {
    assertEquals(
        AcceptEncoding.of(List.of("br, gzip;q=0.5, identity;q=0.1")),
        AcceptEncoding.of(List.of("br", "gzip;q=0.5", "identity;q=0.1")));
    assertFalse(AcceptEncoding.of(List.of()).wantsGzip());
    assertFalse(AcceptEncoding.of(List.of()).refusesIdentity());
  }
}
