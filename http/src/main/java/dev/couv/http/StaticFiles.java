// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.error.UvException;
import dev.couv.fs.Fs;
import dev.couv.fs.NotRegularFileException;
import dev.couv.fs.OpenFile;
import dev.couv.http.serve.WarmFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Answers with the files of a directory: as a whole, in part, or not at all, if the client has them already.
///
/// Nothing that is not below the directory is sent, whatever the path says and wherever links lead; nor what begins with a
/// dot, which was not meant to be seen. A file is opened first, and then it is that open file which is asked where it really is, what it is, and
/// which is sent: nobody can put something else there in between.
final class StaticFiles implements HttpHandler {
  /// The name of the path behind the prefix.
  static final String PATH = "path";

  private final Path directory;
  private final WarmFiles warm = new WarmFiles();
  private final WarmFiles.Recent<Path, FileFacts> known = new WarmFiles.Recent<>();

  /// Where the directory really is, with a slash behind it.
  private final WarmFiles.Recent<Path, String> roots = new WarmFiles.Recent<>();

  StaticFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public Response handle(Request request) throws Exception {
    String path = request.value(PATH);
    try {
      return serve(request, path);
    } catch (NoSuchFileException | NotRegularFileException | InvalidPathException e) {
      throw new HttpFailure(404, "nothing at " + request.path() + "\n");
    } catch (AccessDeniedException e) {
      throw new HttpFailure(403, "not for you\n");
    } catch (UvException e) {
      throw switch (e.code()) {
        case "ENOTDIR", "ENAMETOOLONG", "ELOOP", "ENXIO" ->
            new HttpFailure(404, "nothing at " + request.path() + "\n");
        default -> e;
      };
    }
  }

  private Response serve(Request request, String path) throws IOException, HttpFailure {
    check(path);
    try {
      return answer(request, path);
    } catch (NotRegularFileException other) {
      Path real = Fs.realPath(directory.resolve(path));
      if (!Fs.info(real).isDirectory() || !isMeant(real + "/")) {
        throw new NoSuchFileException(path);
      }
      return path.isEmpty() || path.endsWith("/")
          ? answer(request, path + "index.html")
          : toDirectory(request);
    }
  }

  private Response answer(Request request, String path) throws IOException {
    OpenFile file = warm.open(directory.resolve(path));
    try {
      if (path.endsWith("/") || !isMeant(file.realPathNow().toString())) {
        throw new NoSuchFileException(path);
      }
      Response response = new FileAnswer(request, file, facts(file)).response();
      if (response.toClose().isEmpty()) {
        file.close();
      }
      return response;
    } catch (Throwable refused) {
      file.close();
      throw refused;
    }
  }

  private FileFacts facts(OpenFile file) throws IOException {
    FileFacts last = known.get(file.path());
    FileFacts now = FileFacts.of(file, last);
    if (now != last) {
      known.put(file.path(), now);
    }
    return now;
  }

  /// What is relative in a page is relative to the directory only if its path ends in a slash.
  static Response toDirectory(Request request) {
    String query = request.query();
    // Two slashes at the beginning would be another host.
    String path = "/" + request.path().replaceFirst("^/+", "") + "/";
    return Response.redirect(query.isEmpty() ? path : path + "?" + query).withStatus(301);
  }

  private static void check(String path) throws NoSuchFileException {
    if (path.startsWith("/")
        || path.startsWith(".")
        || path.contains("//")
        || path.contains("/.")
        || path.indexOf('\\') >= 0) {
      throw new NoSuchFileException(path);
    }
  }

  /// Whether what really is there is below the directory, and not hidden in it. Where the directory is may have changed a moment
  /// ago; what is not below where it was is looked at again.
  private boolean isMeant(String real) throws IOException {
    String root = roots.get(directory);
    if (root == null || !real.startsWith(root)) {
      String now = Fs.realPath(directory).toString();
      root = now.endsWith("/") ? now : now + "/";
      roots.put(directory, root);
    }
    return real.startsWith(root) && real.indexOf("/.", root.length() - 1) < 0;
  }
}
