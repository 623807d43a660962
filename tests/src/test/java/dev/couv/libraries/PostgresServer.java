// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.couv.Needed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/// A PostgreSQL server with an empty database, in a temporary directory. Who is root runs it as `nobody`, because it refuses root.
final class PostgresServer implements AutoCloseable {
  private static final String USER = "couv";

  private final Path folder;
  private final ServerProcess process;

  private PostgresServer(Path folder, ServerProcess process) {
    this.folder = folder;
    this.process = process;
  }

  static PostgresServer open() throws Exception {
    String initdb = Needed.server("initdb").toString();
    String postgres = Needed.server("postgres").toString();
    Path folder = Files.createTempDirectory("couv-postgres");
    try {
      List<String> asUser = new ArrayList<>();
      if (System.getProperty("user.name").equals("root")) {
        asUser.addAll(List.of(Needed.program("setpriv"), "--reuid=nobody", "--regid=nogroup"));
        asUser.add("--clear-groups");
        var users = folder.getFileSystem().getUserPrincipalLookupService();
        Files.setOwner(folder, users.lookupPrincipalByName("nobody"));
      }
      String data = folder.resolve("data").toString();
      ServerProcess.run(
          and(asUser, initdb, "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C")
              .and("--no-sync", "--no-instructions")
              .words());
      ServerProcess process =
          ServerProcess.start(
              "INT",
              "ready to accept connections",
              port ->
                  and(asUser, postgres, "-D", data, "-p", Integer.toString(port))
                      .set("listen_addresses", "127.0.0.1")
                      .set("unix_socket_directories", "")
                      .set("fsync", "off")
                      // It notices the end of a connection also in the middle of a query.
                      .set("client_connection_check_interval", "50ms")
                      .words());
      return new PostgresServer(folder, process);
    } catch (Throwable failed) {
      ServerProcess.removeTree(folder);
      throw failed;
    }
  }

  private record Words(List<String> words) {
    Words and(String... more) {
      List<String> all = new ArrayList<>(words);
      all.addAll(List.of(more));
      return new Words(all);
    }

    Words set(String name, String value) {
      return and("-c", name + "=" + value);
    }
  }

  private static Words and(List<String> first, String... more) {
    return new Words(first).and(more);
  }

  /// Where connections come from, one by one.
  PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {process.port()});
    source.setDatabaseName("postgres");
    source.setUser(USER);
    source.setApplicationName("tested");
    return source;
  }

  /// A pool of at most so many of them.
  HikariDataSource pool(int most) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source());
    config.setMaximumPoolSize(most);
    // Not 0: whoever comes while the only connection is thrown away asks too early, and then
    // nobody asks again when it is gone.
    config.setMinimumIdle(1);
    return new HikariDataSource(config);
  }

  @Override
  public void close() throws IOException {
    process.close();
    ServerProcess.removeTree(folder);
  }
}
