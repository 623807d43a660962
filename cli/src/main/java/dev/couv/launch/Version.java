// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/// The version this was built as, which Maven writes into the jar.
final class Version implements IVersionProvider {
  private static final String FILE = "/META-INF/maven/dev.couv/couv-cli/pom.properties";

  /// For picocli.
  Version() {}

  static String text() {
    try (InputStream in = Version.class.getResourceAsStream(FILE)) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version", "of an unpackaged build");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {"couv " + text()};
  }
}
