// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.UvException;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FailuresTest {
  @Test
  void aFailureNamesCallCodeAndSubject() {
    UvException failure = Failures.of(code("ECONNRESET"), "read", "tcp 127.0.0.1:80");

    assertEquals("ECONNRESET", failure.code());
    assertEquals(-code("ECONNRESET"), failure.errno());
    assertEquals("read", failure.call());
    assertEquals("tcp 127.0.0.1:80", failure.subject());
    assertEquals(
        "read tcp 127.0.0.1:80: connection reset by peer (ECONNRESET)", failure.getMessage());
  }

  @Test
  void whatIsNotNegativeIsNoFailure() throws IOException {
    assertEquals(0, Failures.check(0, "read", "stream"));
    assertEquals(17, Failures.check(17, "read", "stream"));
    assertThrows(UvException.class, () -> Failures.check(code("EPIPE"), "write", "stream"));
  }

  @Test
  void aCallThatCannotFailIsABugIfItDoes() {
    Failures.assertOk("uv_timer_init", 0);
    AssertionError thrown =
        assertThrows(
            AssertionError.class, () -> Failures.assertOk("uv_timer_init", code("ENOMEM")));

    assertEquals("uv_timer_init: not enough memory (ENOMEM)", thrown.getMessage());
  }

  @ParameterizedTest(name = "{0} of {1} is a {2}")
  @MethodSource
  void aSocketFailureHasTheTypeThatJavaProgrammersCatch(
      String name, String call, Class<? extends IOException> type) {
    IOException failure = Failures.ofSocket(code(name), call, "10.0.0.7:80");

    assertTranslated(name, call, "10.0.0.7:80", type, failure);
  }

  static Stream<Arguments> aSocketFailureHasTheTypeThatJavaProgrammersCatch() {
    return Stream.of(
        Arguments.of("ECONNREFUSED", "connect", ConnectException.class),
        Arguments.of("ECONNREFUSED", "read", UvException.class),
        Arguments.of("ETIMEDOUT", "connect", ConnectException.class),
        Arguments.of("ETIMEDOUT", "read", UvException.class),
        Arguments.of("EHOSTUNREACH", "connect", NoRouteToHostException.class),
        Arguments.of("ENETUNREACH", "connect", NoRouteToHostException.class),
        Arguments.of("EADDRINUSE", "bind", BindException.class),
        Arguments.of("EADDRINUSE", "listen", BindException.class),
        Arguments.of("EADDRNOTAVAIL", "bind", BindException.class),
        Arguments.of("EACCES", "bind", BindException.class),
        Arguments.of("EACCES", "listen", BindException.class),
        Arguments.of("EACCES", "connect", UvException.class),
        Arguments.of("EPERM", "bind", BindException.class),
        Arguments.of("EPERM", "connect", UvException.class),
        Arguments.of("EAI_NONAME", "lookup", UnknownHostException.class),
        Arguments.of("EAI_NODATA", "lookup", UnknownHostException.class),
        Arguments.of("EAI_AGAIN", "lookup", UnknownHostException.class),
        Arguments.of("EAI_FAIL", "lookup", UnknownHostException.class),
        Arguments.of("EAI_MEMORY", "lookup", UvException.class),
        Arguments.of("ECONNRESET", "read", UvException.class),
        Arguments.of("EPIPE", "write", UvException.class));
  }

  @ParameterizedTest(name = "{0} is a {1}")
  @MethodSource
  void aFileFailureHasTheTypeThatJavaProgrammersCatch(
      String name, Class<? extends IOException> type) {
    IOException failure = Failures.ofFile(code(name), "open", "/etc/nothing");

    assertTranslated(name, "open", "/etc/nothing", type, failure);
    if (failure instanceof FileSystemException named) {
      assertEquals("/etc/nothing", named.getFile());
    }
  }

  static Stream<Arguments> aFileFailureHasTheTypeThatJavaProgrammersCatch() {
    return Stream.of(
        Arguments.of("ENOENT", NoSuchFileException.class),
        Arguments.of("EEXIST", FileAlreadyExistsException.class),
        Arguments.of("ENOTEMPTY", DirectoryNotEmptyException.class),
        Arguments.of("EACCES", AccessDeniedException.class),
        Arguments.of("EPERM", AccessDeniedException.class),
        Arguments.of("EISDIR", UvException.class),
        Arguments.of("EMFILE", UvException.class));
  }

  private static void assertTranslated(
      String name, String call, String subject, Class<?> type, IOException failure) {
    assertSame(type, failure.getClass());
    UvException plain =
        failure instanceof UvException same
            ? same
            : assertInstanceOf(UvException.class, failure.getCause());
    assertEquals(name, plain.code());
    assertEquals(call, plain.call());
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(subject), message);
  }

  private static int code(String name) {
    int code = UvErrors.code(name);
    assertNotEquals(0, code, name);
    return code;
  }
}
