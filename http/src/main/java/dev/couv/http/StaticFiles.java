// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.error.UvException;
import dev.couv.fs.FileInfo;
import dev.couv.fs.FileType;
import dev.couv.fs.Fs;
import dev.couv.http.serve.WarmFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Answers with the files of a directory: as a whole, in part, or not at all, if the client has them already.
///
/// Nothing that is not below the directory is sent, whatever the path says and wherever links lead; nor what begins with a
/// dot, which was not meant to be seen.
final class StaticFiles implements HttpHandler {
  /// The name of the path behind the prefix.
  static final String PATH = "path";

  private final Path directory;

  /// Where the directory really is, once it was looked for.
  private @Nullable Path root;

  private final WarmFiles warm = new WarmFiles();

  StaticFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public Response handle(Request request) throws Exception {
    String path = request.value(PATH);
    try {
      return serve(request, path);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new HttpFailure(404, "nothing at " + request.path() + "\n");
    } catch (AccessDeniedException e) {
      throw new HttpFailure(403, "not for you\n");
    } catch (UvException e) {
      throw switch (e.code()) {
        case "ENOTDIR", "ENAMETOOLONG", "ELOOP" ->
            new HttpFailure(404, "nothing at " + request.path() + "\n");
        default -> e;
      };
    }
  }

  private Response serve(Request request, String path) throws IOException, HttpFailure {
    Path file = find(path);
    FileInfo info = warm.info(file);
    if (info.type() == FileType.DIRECTORY) {
      if (!path.isEmpty() && !path.endsWith("/")) {
        return toDirectory(request);
      }
      file = find(path + "index.html");
      info = warm.info(file);
    } else if (path.endsWith("/")) {
      throw new NoSuchFileException(path);
    }
    if (info.type() != FileType.REGULAR_FILE) {
      throw new NoSuchFileException(path);
    }
    return new FileAnswer(request, file, info).response();
  }

  /// What is relative in a page is relative to the directory only if its path ends in a slash.
  private static Response toDirectory(Request request) {
    String query = request.query();
    // Two slashes at the beginning would be another host.
    String path = "/" + request.path().replaceFirst("^/+", "") + "/";
    return Response.redirect(query.isEmpty() ? path : path + "?" + query).withStatus(301);
  }

  /// Where it really is, below the directory.
  private Path find(String path) throws IOException {
    String[] names = path.split("/", -1);
    for (int i = 0; i < names.length; i++) {
      boolean last = i == names.length - 1;
      if (names[i].isEmpty() ? !last : names[i].startsWith(".") || names[i].indexOf('\\') >= 0) {
        throw new NoSuchFileException(path);
      }
    }
    Path base = root;
    if (base == null) {
      base = Fs.realPath(directory);
      root = base;
    }
    Path real = warm.realPath(base.resolve(path));
    if (!real.startsWith(base)) {
      throw new NoSuchFileException(path);
    }
    return real;
  }
}
