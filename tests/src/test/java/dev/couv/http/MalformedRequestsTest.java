// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests that two parties could read differently, and requests that are none: each is answered by the status that says
/// so, nothing behind it is taken for a request, and the connection is closed.
@InLoop
class MalformedRequestsTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";
  private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String END = "0\r\n\r\n";
  private static final List<Arguments> CASES = new ArrayList<>();

  /// What is not refused is seen soon.
  private static final ServerOptions OPTIONS =
      ServerOptions.DEFAULT.withLimits(HttpLimits.DEFAULT.withIdle(Duration.ofSeconds(2)));

  private static void refused(int status, String what, String request) {
    CASES.add(Arguments.of(what, status, request));
  }

  static {
    // where the body ends
    refused(
        400, "CL and TE", POST + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + END);
    refused(
        400, "TE and CL", POST + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n" + END);
    refused(400, "two CLs", POST + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
    refused(400, "CL list", POST + "Content-Length: 3, 4\r\n\r\nabcd");
    refused(400, "CL list of equals", POST + "Content-Length: 3, 3\r\n\r\nabc");
    refused(400, "CL +3", POST + "Content-Length: +3\r\n\r\nabc");
    refused(400, "CL -1", POST + "Content-Length: -1\r\n\r\nabc");
    refused(400, "CL -0", POST + "Content-Length: -0\r\n\r\n");
    refused(400, "CL 0x3", POST + "Content-Length: 0x3\r\n\r\nabc");
    refused(400, "CL 3 3", POST + "Content-Length: 3 3\r\n\r\nabc");
    refused(400, "CL 3;", POST + "Content-Length: 3;\r\n\r\nabc");
    refused(400, "CL 3.0", POST + "Content-Length: 3.0\r\n\r\nabc");
    refused(400, "CL 1e1", POST + "Content-Length: 1e1\r\n\r\nabc");
    refused(400, "CL empty", POST + "Content-Length: \r\n\r\nabc");
    refused(400, "CL overflow", POST + "Content-Length: 18446744073709551619\r\n\r\nabc");
    refused(400, "CL full-width digit", POST + "Content-Length: \u00b3\r\n\r\nabc");
    refused(413, "CL too large", POST + "Content-Length: 9000000000000000000\r\n\r\nabc");
    refused(400, "TE xchunked", POST + "Transfer-Encoding: xchunked\r\n\r\n" + END);
    refused(400, "TE identity", POST + "Transfer-Encoding: identity\r\n\r\nabc");
    refused(400, "TE chunked, gzip", POST + "Transfer-Encoding: chunked, gzip\r\n\r\n" + END);
    refused(
        400, "TE chunked, identity", POST + "Transfer-Encoding: chunked, identity\r\n\r\n" + END);
    refused(400, "TE gzip", POST + "Transfer-Encoding: gzip\r\n\r\nabc");
    refused(
        400,
        "TE twice",
        POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + END);
    refused(400, "TE chunked, chunked", POST + "Transfer-Encoding: chunked, chunked\r\n\r\n" + END);
    refused(
        400,
        "TE chunked and identity",
        POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + END);
    refused(400, "TE VT chunked", POST + "Transfer-Encoding: \u000bchunked\r\n\r\n" + END);
    refused(400, "TE quoted", POST + "Transfer-Encoding: \"chunked\"\r\n\r\n" + END);
    refused(400, "TE chunked;x=y", POST + "Transfer-Encoding: chunked;x=y\r\n\r\n" + END);
    refused(400, "TE empty", POST + "Transfer-Encoding:\r\n\r\n" + END);
    refused(
        400, "TE in 1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + END);
    refused(400, "three CLs in a list", POST + "Content-Length: 3, 3, 3\r\n\r\nabc");
    refused(400, "two equal CLs", POST + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc");
    refused(400, "CL 1_0", POST + "Content-Length: 1_0\r\n\r\nabc");
    refused(400, "CL 0b11", POST + "Content-Length: 0b11\r\n\r\nabc");
    refused(400, "CL 0o3", POST + "Content-Length: 0o3\r\n\r\nabc");
    refused(400, "CL abc", POST + "Content-Length: abc\r\n\r\nabc");
    refused(400, "CL NUL 3", POST + "Content-Length: \0003\r\n\r\nabc");
    refused(400, "CL 3 and a comma", POST + "Content-Length: 3,\r\n\r\nabc");
    refused(400, "TE and a comma", POST + "Transfer-Encoding: chunked,\r\n\r\n" + END);
    refused(400, "a comma and TE", POST + "Transfer-Encoding: ,chunked\r\n\r\n" + END);
    refused(400, "TE NUL", POST + "Transfer-Encoding: chunked\0\r\n\r\n" + END);
    refused(400, "TE form feed", POST + "Transfer-Encoding: \fchunked\r\n\r\n" + END);
    refused(400, "TE chun ked", POST + "Transfer-Encoding: chun ked\r\n\r\n" + END);
    refused(501, "TE gzip, chunked", POST + "Transfer-Encoding: gzip, chunked\r\n\r\n" + END);
    refused(
        501, "TE identity, chunked", POST + "Transfer-Encoding: identity, chunked\r\n\r\n" + END);
    refused(
        400,
        "TE in another case and CL",
        POST + "Content-Length: 3\r\ntRANSFER-eNCODING: CHUNKED\r\n\r\n" + END);
    refused(
        400,
        "CL and TE of a client that wants to go",
        POST
            + "Connection: close\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
            + END);
    refused(
        400,
        "a body of a draft of WebSocket",
        GET
            + "Upgrade: WebSocket\r\n"
            + "Connection: Upgrade\r\n"
            + "Sec-WebSocket-Key1: 1\r\n"
            + "Sec-WebSocket-Key2: 2\r\n\r\n");
    // lines
    refused(400, "fold", GET + "X: a\r\n b\r\n\r\n");
    refused(400, "fold by tab", GET + "X: a\r\n\tb\r\n\r\n");
    refused(400, "fold of nothing", GET + "X: a\r\n \r\n\r\n");
    refused(400, "fold of the first", "GET / HTTP/1.1\r\n Host: a\r\n\r\n");
    refused(400, "fold of TE", POST + "Transfer-Encoding:\r\n chunked\r\n\r\n" + END);
    refused(400, "space before colon", GET + "X : a\r\n\r\n");
    refused(400, "tab before colon", GET + "X\t: a\r\n\r\n");
    refused(400, "space before colon of TE", POST + "Transfer-Encoding : chunked\r\n\r\n" + END);
    refused(400, "space before colon of CL", POST + "Content-Length : 3\r\n\r\nabc");
    refused(400, "space in a name", GET + "X Y: a\r\n\r\n");
    refused(400, "tab in a name", GET + "X\tY: a\r\n\r\n");
    refused(400, "white space alone", GET + "   \r\n\r\n");
    refused(400, "white space before all headers", "GET / HTTP/1.1\r\n  X: y\r\nHost: a\r\n\r\n");
    refused(400, "CR as every line end", "GET / HTTP/1.1\rHost: a\r\r");
    refused(400, "a quote in a name", GET + "X\"Y: a\r\n\r\n");
    refused(400, "a fold of CL", POST + "Content-Length:\r\n 3\r\n\r\nabc");
    refused(400, "no colon", GET + "Xyz\r\n\r\n");
    refused(400, "empty name", GET + ": a\r\n\r\n");
    refused(400, "bad name", GET + "X@(y: a\r\n\r\n");
    refused(400, "name beyond ASCII", GET + "X\u00e4: a\r\n\r\n");
    refused(400, "DEL in a name", GET + "X\u007f: a\r\n\r\n");
    refused(400, "NUL in a value", GET + "X: a\0b\r\n\r\n");
    refused(400, "NUL in a name", GET + "X\0: b\r\n\r\n");
    refused(400, "NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "NUL before all", "\0GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "control in a value", GET + "X: a\u0001b\r\n\r\n");
    refused(400, "DEL in a value", GET + "X: a\u007fb\r\n\r\n");
    refused(400, "escape in a value", GET + "X: \u001b[2J\r\n\r\n");
    refused(400, "CR in a value", GET + "X: a\rb\r\n\r\n");
    refused(400, "CR as a line end", GET + "X: a\rTransfer-Encoding: chunked\r\n\r\n");
    refused(400, "CR CR LF", GET + "X: a\r\r\n\r\n");
    refused(400, "LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n");
    refused(400, "LF after a header", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n");
    refused(400, "LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n");
    refused(400, "all LF", "GET / HTTP/1.1\nHost: a\n\n");
    // chunks
    refused(400, "LF after a size", CHUNKED + "3\nabc\r\n" + END);
    refused(400, "LF after data", CHUNKED + "3\r\nabc\n" + END);
    refused(400, "no line end after data", CHUNKED + "3\r\nabc" + END);
    refused(400, "LF in an extension", CHUNKED + "3;a\nb\r\nabc\r\n" + END);
    refused(400, "CR in an extension", CHUNKED + "3;a\rb\r\nabc\r\n" + END);
    refused(400, "LF after the last", CHUNKED + "0\n\r\n");
    refused(400, "LF at the end of trailers", CHUNKED + "0\r\n\n");
    refused(400, "line end in a quoted extension", CHUNKED + "3;a=\"\r\nabc\r\n" + END);
    refused(400, "a control in an extension", CHUNKED + "3;a\u0001b\r\nabc\r\n" + END);
    refused(400, "CR after a size", CHUNKED + "3\rabc\r\n" + END);
    refused(400, "CR after data", CHUNKED + "3\r\nabc\r" + END);
    refused(400, "tab after a size", CHUNKED + "3\t\r\nabc\r\n" + END);
    refused(400, "NUL in a size", CHUNKED + "3\0\r\nabc\r\n" + END);
    refused(400, "NUL in an extension", CHUNKED + "3;\0\r\nabc\r\n" + END);
    refused(400, "size xyz", CHUNKED + "xyz\r\nabc\r\n" + END);
    refused(400, "less data than said", CHUNKED + "4\r\nabc\r\n" + END);
    refused(400, "no size", CHUNKED + "\r\nabc\r\n" + END);
    refused(400, "size ;", CHUNKED + ";a=b\r\nabc\r\n" + END);
    refused(400, "size 0x3", CHUNKED + "0x3\r\nabc\r\n" + END);
    refused(400, "size +3", CHUNKED + "+3\r\nabc\r\n" + END);
    refused(400, "size -3", CHUNKED + "-3\r\nabc\r\n" + END);
    refused(400, "size _3", CHUNKED + "_3\r\nabc\r\n" + END);
    refused(400, "size 3_0", CHUNKED + "3_0\r\nabc\r\n" + END);
    refused(400, "space after a size", CHUNKED + "3 \r\nabc\r\n" + END);
    refused(400, "space before a size", CHUNKED + " 3\r\nabc\r\n" + END);
    refused(400, "size 3g", CHUNKED + "3g\r\nabc\r\n" + END);
    refused(400, "size 2^32+3", CHUNKED + "100000003\r\nabc\r\n" + END);
    refused(400, "size 2^64+3", CHUNKED + "10000000000000003\r\nabc\r\n" + END);
    refused(400, "size -1", CHUNKED + "ffffffff\r\nabc\r\n" + END);
    refused(400, "more data than said", CHUNKED + "3\r\nabcd\r\n" + END);
    refused(400, "CL in trailers", CHUNKED + "0\r\nContent-Length: 5\r\n\r\n");
    refused(400, "TE in trailers", CHUNKED + "0\r\nTransfer-Encoding: chunked\r\n\r\n");
    refused(400, "host in trailers", CHUNKED + "0\r\nHost: b\r\n\r\n");
    refused(400, "no colon in trailers", CHUNKED + "0\r\nXyz\r\n\r\n");
    refused(400, "space before colon in trailers", CHUNKED + "0\r\nX : y\r\n\r\n");
    refused(400, "CR in trailers", CHUNKED + "0\r\nX: a\rb\r\n\r\n");
    refused(400, "fold in trailers", CHUNKED + "0\r\nX: a\r\n b\r\n\r\n");
    refused(400, "NUL in trailers", CHUNKED + "0\r\nX: a\0\r\n\r\n");
    // hosts
    refused(400, "no host", "GET / HTTP/1.1\r\n\r\n");
    refused(400, "two hosts", GET + "Host: b\r\n\r\n");
    refused(400, "the same host twice", GET + "Host: a\r\n\r\n");
    refused(400, "hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n");
    refused(400, "no host but more", "GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n");
    refused(400, "a space in a host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n");
    refused(400, "a user in a host", "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n");
    refused(400, "a path in a host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n");
    refused(400, "a query in a host", "GET / HTTP/1.1\r\nHost: a?b\r\n\r\n");
    refused(400, "another host in the target", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a user in the target", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "no host in the target", "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "no host in the target of 1.0", "GET http:///x HTTP/1.0\r\n\r\n");
    refused(400, "a port that is none", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n");
    // the request line
    refused(400, "HTTP/01.1", "GET / HTTP/01.1\r\nHost: a\r\n\r\n");
    refused(400, "HTTP/1.01", "GET / HTTP/1.01\r\nHost: a\r\n\r\n");
    refused(505, "HTTP/1,1", "GET / HTTP/1,1\r\nHost: a\r\n\r\n");
    refused(400, "HTTPS/1.1", "GET / HTTPS/1.1\r\nHost: a\r\n\r\n");
    refused(400, "no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "nothing for a target", "GET  HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a fragment in the target", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(
        400, "a slash of UTF-8 that is too long", "GET /\u00c0\u00af HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a line of white space first", "  \r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "bytes", "\u0000\u0001\u0002\u00ff\u00fe\r\n\r\n");
    refused(400, "HTTP/0.9", "GET /\r\n\r\n");
    refused(505, "HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n");
    refused(505, "HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n");
    refused(505, "HTTP/0.9, said", "GET / HTTP/0.9\r\nHost: a\r\n\r\n");
    refused(400, "http/1.1", "GET / http/1.1\r\nHost: a\r\n\r\n");
    refused(400, "HTTP/1.1x", "GET / HTTP/1.1x\r\nHost: a\r\n\r\n");
    refused(400, "HTTP/1.10", "GET / HTTP/1.10\r\nHost: a\r\n\r\n");
    refused(400, "HTTP/ 1.1", "GET / HTTP/ 1.1\r\nHost: a\r\n\r\n");
    refused(400, "HTTP/1", "GET / HTTP/1\r\nHost: a\r\n\r\n");
    refused(400, "two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "two spaces before the version", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a space behind", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n");
    refused(400, "tabs", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "form feeds", "GET\f/\fHTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "no ASCII in the target", "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a bad method", "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a small method", "get / HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a method beyond ASCII", "G\u00c4T / HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a space first", " GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "no method", "/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "no path", "GET x HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(400, "a star", "GET * HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(501, "a tunnel", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n");
    refused(400, "TLS", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003\r\n\r\n");
    refused(505, "nearly HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nXY\r\n\r\n");
    refused(400, "an answer", "HTTP/1.1 200 OK\r\nHost: a\r\n\r\n");
    // too much
    refused(414, "a long target", "GET /" + "x".repeat(9000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    refused(414, "an endless target", "GET /" + "x".repeat(100_000));
    refused(414, "an endless method", "G".repeat(100_000));
    refused(431, "a long header", GET + "X: " + "y".repeat(20_000) + "\r\n\r\n");
    refused(431, "an endless header", GET + "X: " + "y".repeat(100_000));
    refused(431, "an endless name", GET + "x".repeat(100_000));
    refused(
        431, "100 KiB of headers", GET + ("X: " + "y".repeat(990) + "\r\n").repeat(100) + "\r\n");
    refused(431, "too many headers", GET + "X: y\r\n".repeat(100) + "\r\n");
    refused(431, "too many trailers", CHUNKED + "0\r\n" + "X: y\r\n".repeat(101) + "\r\n");
    refused(
        431,
        "100 KiB of trailers",
        CHUNKED + "0\r\n" + ("X: " + "y".repeat(990) + "\r\n").repeat(100) + "\r\n");
    refused(
        400, "64 KiB of an extension", CHUNKED + "3;" + "x".repeat(65536) + "\r\nabc\r\n" + END);
    refused(400, "an endless size", CHUNKED + "0".repeat(100_000));
    refused(400, "10,000 empty lines", "\r\n".repeat(10_000) + GET + "\r\n");
    refused(413, "a large body", POST + "Content-Length: 20000000\r\n\r\nabc");
    refused(
        417,
        "an expectation behind another",
        POST + "Expect: 100-continue\r\nExpect: miracles\r\nContent-Length: 3\r\n\r\nabc");
    refused(417, "an expectation", POST + "Expect: miracles\r\nContent-Length: 3\r\n\r\nabc");
  }

  static Stream<Arguments> cases() {
    return CASES.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void isRefused(String what, int status, String request) throws Exception {
    try (var http = HttpFixture.simple(OPTIONS)) {
      assertRefused(status, http.all(request + GET + "\r\n"));
    }
  }

  /// What two parties might read differently, and what is allowed all the same: it is taken as RFC 9112 says, and what follows is where it is expected.
  static Stream<Arguments> taken() {
    return Stream.of(
        Arguments.of("GET with a body", GET + "Content-Length: 5\r\n\r\nGET /"),
        Arguments.of(
            "HEAD with a body", "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /"),
        Arguments.of(
            "OPTIONS with a body", "OPTIONS / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
        Arguments.of("zeros before a length", POST + "Content-Length: 0003\r\n\r\nabc"),
        Arguments.of("white space around a length", POST + "Content-Length: \t3 \t\r\n\r\nabc"),
        Arguments.of("no white space", POST + "Content-Length:3\r\n\r\nabc"),
        Arguments.of("a length of nothing", POST + "Content-Length: 0\r\n\r\n"),
        Arguments.of("neither length nor chunks", POST + "\r\n"),
        Arguments.of("Chunked", POST + "Transfer-Encoding: Chunked\r\n\r\n" + END),
        Arguments.of("a tab before it", POST + "Transfer-Encoding:\tchunked\r\n\r\n" + END),
        Arguments.of("white space behind it", POST + "Transfer-Encoding: chunked \r\n\r\n" + END),
        Arguments.of("an extension", CHUNKED + "3;a=b\r\nabc\r\n" + END),
        Arguments.of("a quoted extension", CHUNKED + "3;a=\"b c\"\r\nabc\r\n" + END),
        Arguments.of("sizes in capitals and with zeros", CHUNKED + "00A\r\n0123456789\r\n" + END),
        Arguments.of("trailers", CHUNKED + "0\r\nX: y\r\nAuthorization: z\r\n\r\n"),
        Arguments.of(
            "an underscore", GET + "Content_Length: 5\r\nTransfer_Encoding: chunked\r\n\r\n"),
        Arguments.of("an empty line first", "\r\n" + GET + "\r\n"),
        Arguments.of("LF first", "\n" + GET + "\r\n"),
        Arguments.of("a port", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"),
        Arguments.of("an absolute target", "GET http://b/ HTTP/1.1\r\nHost: b\r\n\r\n"),
        Arguments.of("a method that nobody knows", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Arguments.of(
            "an upgrade that nobody knows", GET + "Connection: upgrade\r\nUpgrade: x/9\r\n\r\n"),
        Arguments.of("cookies of all kinds", GET + "Cookie: a=b; =; ;;\r\nCookie: \u00e4\r\n\r\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("taken")
  void whatFollowsIsWhereItIsExpected(String what, String request) throws Exception {
    try (var http = HttpFixture.simple(OPTIONS)) {
      String last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      String answers = http.all(request + GET + "\r\n" + last);
      String[] heads = answers.split("HTTP/1\\.1 ", -1);

      assertEquals(4, heads.length, "three answers: " + answers);
      assertTrue(heads[2].startsWith("200 "), answers);
      assertTrue(heads[3].startsWith("404 "), answers);
    }
  }

  /// However it is cut on its way.
  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void isRefusedIfItComesInPieces(String what, int status, String request) throws Exception {
    if (request.length() > 1000) {
      return; // byte by byte it is the same, and takes long
    }
    try (var http = HttpFixture.simple(OPTIONS);
        var talk = http.talk()) {
      var answer = Coroutine.spawn(talk::rest);
      for (int i = 0; i < request.length(); i++) {
        talk.say(request.substring(i, i + 1));
        Coroutine.pause();
      }
      talk.say(GET + "\r\n");

      assertRefused(status, answer.await());
    }
  }

  private static void assertRefused(int status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    String head = answer.substring(0, answer.indexOf("\r\n\r\n") + 4);
    assertEquals("close", HttpFixture.field(head, "connection"));
    assertEquals(2, answer.split("HTTP/1\\.1 \\d\\d\\d ", -1).length, "one answer: " + answer);
  }
}
