// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import dev.couv.http.HttpLimits;
import dev.couv.http.serve.Refused;
import dev.couv.http.serve.RequestWords;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Netty's decoder as a plain object, without a channel, and the checks that it leaves to its users: one space between the
/// words of a request line and none before, a target without controls, HTTP/1.0 or 1.1, exactly one `Host` that can be one,
/// no folded lines, no framing in trailers.
///
/// What is refused is refused for good: the caller answers, and closes the connection.
final class RequestDecoder extends HttpRequestDecoder {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// What Netty copies lines into grows with the longest, and never shrinks: no more than this is kept by a connection that waits.
  private static final int KEPT = 1 << 10;

  private @Nullable Refused refused;

  /// How large it was at the last line.
  private int scratch;

  /// Where the last word of the request line has ended.
  private int wordEnd;

  /// Whether the head was taken, and the end of its body was not.
  private boolean behindHead;

  /// Whether the next bytes are lines of a head or of trailers whose first line has been taken.
  private boolean inLines;

  RequestDecoder(HttpLimits limits) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.line())
            .setMaxHeaderSize(limits.head())
            .setInitialBufferSize(128)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setHeadersFactory(new Fields(limits.headers()))
            .setTrailersFactory(new Fields(limits.headers())));
  }

  /// Said here, because otherwise Netty looks it up in a table of each thread, and every coroutine is one.
  @Override
  public boolean isSharable() {
    return false;
  }

  private record Fields(int most) implements HttpHeadersFactory {
    @Override
    public HttpHeaders newHeaders() {
      return new FieldList(most);
    }

    @Override
    public HttpHeaders newEmptyHeaders() {
      return new FieldList(most);
    }
  }

  /// Takes what it can of the bytes, and adds the parts of messages to the list: at least one, unless it needs more bytes.
  ///
  /// @throws Refused if it is no request that can be answered otherwise
  void next(byte[] array, ByteBuf in, List<Object> out) throws Refused {
    int before;
    do {
      before = in.readerIndex();
      boolean goesOn = inLines;
      decode(in, out);
      if (goesOn && in.readerIndex() > before && isBlank(array[before])) {
        refuse(400, "a folded line");
      }
      if (refused == null) {
        look(array, before, in.readerIndex(), out);
      }
      if (refused != null) {
        throw refused;
      }
    } while (out.isEmpty() && in.readerIndex() != before && in.isReadable());
  }

  private void decode(ByteBuf in, List<Object> out) {
    try {
      decode(null, in, out);
    } catch (Exception e) {
      throw new AssertionError("Netty's decoder tells of failures in what it decodes", e);
    }
  }

  private void look(byte[] array, int from, int to, List<Object> out) {
    for (int i = 0; i < out.size(); i++) {
      HttpObject part = (HttpObject) out.get(i);
      Throwable cause = part.decoderResult().cause();
      if (cause != null) {
        boolean blank = from < to && array[from] <= ' ';
        String why = isTls(array, from, to) ? "TLS, where HTTP is spoken" : cause.getMessage();
        refuse(status(cause, part, blank), why);
      } else if (part instanceof HttpRequest request) {
        behindHead = true;
        checkHost(request);
      } else if (part instanceof LastHttpContent last) {
        behindHead = false;
        inLines |= !last.trailingHeaders().isEmpty();
      }
    }
    if (inLines) {
      checkFolds(array, from, to);
      inLines = out.isEmpty();
    }
  }

  /// Whether it is how a handshake begins.
  private static boolean isTls(byte[] array, int from, int to) {
    return to - from > 1 && array[from] == 22 && array[from + 1] == 3;
  }

  private static int status(Throwable cause, HttpObject part, boolean blank) {
    if (cause instanceof TooLongHttpLineException && part instanceof HttpRequest) {
      return blank ? 400 : 414; // a flood of empty lines is no long target
    }
    boolean tooMuch =
        cause instanceof TooLongHttpHeaderException || cause instanceof TooManyHeaders;
    return tooMuch ? 431 : 400;
  }

  private void refuse(int status, @Nullable String reason) {
    if (refused == null) {
      refused = new Refused(status, reason == null ? "malformed" : reason);
    }
  }

  /// Whether another one would hold less.
  boolean isLarge() {
    return scratch > KEPT;
  }

  // ---- the request line

  @Override
  protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
    inLines = true;
    if (start != 0 || line[start + length] != ' ') {
      refuse(400, "white space around the method");
    }
    for (int i = start; i < start + length; i++) {
      if (!RequestWords.isOfMethod(line[i])) {
        refuse(400, "no method");
      }
    }
    wordEnd = start + length;
    scratch = line.length;
    return super.splitFirstWordInitialLine(line, start, length);
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    if (start != wordEnd + 1) {
      refuse(400, "more than one space after the method");
    }
    for (int i = start; i < start + length; i++) {
      if (!RequestWords.isOfTarget(line[i])) {
        refuse(400, "a character that no target has");
      }
    }
    wordEnd = start + length;
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
    if (start != wordEnd + 1 || line[wordEnd] != ' ') {
      refuse(400, "more than one space before the version");
    }
    if (!isVersion(line, start, length)) {
      boolean other = length == 8 && line[start] == 'H' && line[start + 4] == '/';
      refuse(other ? 505 : 400, "neither HTTP/1.1 nor HTTP/1.0");
    }
    return super.splitThirdWordInitialLine(line, start, length);
  }

  private static boolean isVersion(byte[] line, int start, int length) {
    return length == 8
        && line[start] == 'H'
        && line[start + 1] == 'T'
        && line[start + 2] == 'T'
        && line[start + 3] == 'P'
        && line[start + 4] == '/'
        && line[start + 5] == '1'
        && line[start + 6] == '.'
        && (line[start + 7] == '1' || line[start + 7] == '0');
  }

  // ---- headers

  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    scratch = line.length;
    AsciiString known = KnownNames.find(line, start, length);
    if (behindHead && known != null) {
      checkTrailer(known.toString());
    }
    return known == null ? super.splitHeaderName(line, start, length) : known;
  }

  private void checkHost(HttpRequest request) {
    Headers headers = ((FieldList) request.headers()).headers();
    String host = null;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i) == KnownNames.HOST || headers.name(i).equalsIgnoreCase(KnownNames.HOST)) {
        if (host != null) {
          refuse(400, "two hosts");
        }
        host = headers.value(i);
      }
    }
    if (host != null) {
      if (!RequestWords.isHost(host)) {
        refuse(400, "a host that can be none");
      }
    } else if (request.protocolVersion() != HttpVersion.HTTP_1_0) {
      refuse(400, "no host");
    }
  }

  private void checkTrailer(String name) {
    if (name == KnownNames.HOST
        || name == KnownNames.CONTENT_LENGTH
        || name == KnownNames.TRANSFER_ENCODING) {
      refuse(400, name + " in trailers");
    }
  }

  /// The body of the last head is counted by somebody else: what comes next is a head.
  @Override
  public void reset() {
    behindHead = false;
    super.reset();
  }

  /// Refuses a line that begins with white space: it goes on with the one before, and not everybody reads it so. Eight
  /// bytes at a time, because this looks at every byte of every head.
  private void checkFolds(byte[] array, int from, int to) {
    int at = from;
    for (; at + 9 <= to; at += 8) {
      long eight = (long) EIGHT.get(array, at) ^ 0x0a0a0a0a0a0a0a0aL;
      // The high bit of each byte that was a line feed, and perhaps of some behind it.
      long found = (eight - 0x0101010101010101L) & ~eight & 0x8080808080808080L;
      while (found != 0) {
        int i = at + (Long.numberOfTrailingZeros(found) >>> 3);
        if (array[i] == '\n' && isBlank(array[i + 1])) {
          refuse(400, "a folded line");
        }
        found &= found - 1;
      }
    }
    for (; at + 1 < to; at++) {
      if (array[at] == '\n' && isBlank(array[at + 1])) {
        refuse(400, "a folded line");
      }
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
