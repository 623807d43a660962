// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.AsciiString;
import java.net.ProtocolException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Netty's decoder of answers as a plain object, without a channel, and the checks that it leaves to its users: a version
/// that is HTTP/1.0 or 1.1, a status of three digits, one way to tell where the body ends.
///
/// After a failure it is of no use any more: the caller closes the connection.
final class ResponseDecoder extends HttpResponseDecoder {
  private @Nullable String refused;

  /// Whether the answer that comes has no body whatever it says: it is one to `HEAD`.
  private boolean bodiless;

  /// No more than that many bytes in all headers and as many in the first line, in no more than that many headers.
  ResponseDecoder(int head, int headers) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(head)
            .setMaxHeaderSize(head)
            .setInitialBufferSize(128)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setHeadersFactory(new Fields(headers))
            .setTrailersFactory(new Fields(headers)));
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

  /// Before the next answer: to which method it is.
  void answers(String method) {
    bodiless = method.equals("HEAD");
  }

  /// Takes what it can of the bytes, and adds the parts of messages to the list: at least one, unless it needs more bytes.
  ///
  /// @throws ProtocolException if it is no answer
  void next(ByteBuf in, List<Object> out) throws ProtocolException {
    int before;
    do {
      before = in.readerIndex();
      try {
        decode(null, in, out);
      } catch (Exception e) {
        throw new AssertionError("Netty's decoder tells of failures in what it decodes", e);
      }
      for (int i = 0; i < out.size() && refused == null; i++) {
        look((HttpObject) out.get(i));
      }
      if (refused != null) {
        throw new ProtocolException(refused);
      }
    } while (out.isEmpty() && in.readerIndex() != before && in.isReadable());
  }

  private void look(HttpObject part) {
    Throwable cause = part.decoderResult().cause();
    if (cause != null) {
      refuse(String.valueOf(cause.getMessage()));
    } else if (part instanceof HttpResponse response) {
      Headers headers = ((FieldList) response.headers()).headers();
      List<String> codings = headers.all(KnownNames.TRANSFER_ENCODING);
      boolean plain =
          codings.isEmpty()
              || (codings.size() == 1 && codings.getFirst().trim().equalsIgnoreCase("chunked"));
      if (!plain) {
        refuse("a transfer coding that nobody asked for: " + codings);
      } else if (!codings.isEmpty() && headers.contains(KnownNames.CONTENT_LENGTH)) {
        refuse("two ways to tell where the body ends");
      }
    }
  }

  private void refuse(String reason) {
    if (refused == null) {
      refused = reason;
    }
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    return bodiless || super.isContentAlwaysEmpty(message);
  }

  // ---- the status line

  @Override
  protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
    String version = super.splitFirstWordInitialLine(line, start, length);
    if (start != 0 || !(version.equals("HTTP/1.1") || version.equals("HTTP/1.0"))) {
      refuse("neither HTTP/1.1 nor HTTP/1.0");
    }
    return version;
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    String status = super.splitSecondWordInitialLine(line, start, length);
    boolean digits = status.length() == 3 && status.charAt(0) >= '1' && status.charAt(0) <= '9';
    for (int i = 0; i < status.length(); i++) {
      digits &= status.charAt(i) >= '0' && status.charAt(i) <= '9';
    }
    if (!digits) {
      refuse("no status");
    }
    return status;
  }

  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    if (start != 0 || line[start + length] != ':') {
      refuse("white space around the name of a header"); // in answers Netty lets it pass
    }
    AsciiString known = KnownNames.find(line, start, length);
    return known == null ? super.splitHeaderName(line, start, length) : known;
  }
}
