// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// Compiles a script in memory, with the modules of Couv at hand. What it does not find in the
/// files it was given it looks for beside the first of them, as `java FILE.java` does.
final class ScriptCompiler {
  private static final List<String> OPTIONS =
      List.of(
          "--add-modules",
          ScriptModule.names(),
          "-proc:none",
          "-implicit:class",
          // Errors only: neither warnings nor notes.
          "-nowarn",
          "-Xlint:none",
          "-XDsuppressNotes");

  private ScriptCompiler() {}

  /// The compiled script, or nothing if it has errors: javac has printed them then. Either way it adds to `read`
  /// the files that javac has read.
  static Optional<CompiledScript> compile(List<Path> sources, List<Path> libraries, Set<Path> read)
      throws IOException, BadScript {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    if (javac == null) {
      throw new BadScript(
          "this Java cannot compile, a JDK is needed: " + System.getProperty("java.home"));
    }
    Path main = sources.getFirst();
    PrintWriter messages = new PrintWriter(System.err, true, System.err.charset());
    // Of a text that is not UTF-8 the files tell, not the task, which takes it as it is.
    List<Diagnostic<?>> unreadable = new ArrayList<>();
    try (StandardJavaFileManager files =
            javac.getStandardFileManager(unreadable::add, null, UTF_8);
        MemoryFiles memory = new MemoryFiles(files)) {
      files.setLocationFromPaths(StandardLocation.MODULE_PATH, ScriptModule.compilePath());
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, libraries);
      Optional<Path> root = SourceRoot.of(main);
      if (root.isPresent()) {
        files.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of(root.get()));
      }
      JavacTask task =
          (JavacTask)
              javac.getTask(
                  messages,
                  memory,
                  null,
                  OPTIONS,
                  null,
                  files.getJavaFileObjectsFromPaths(sources));
      Witness witness = new Witness();
      task.addTaskListener(witness);
      boolean compiled = task.call();
      read.addAll(witness.sources);
      unreadable.forEach(messages::println);
      if (!compiled || !unreadable.isEmpty()) {
        return Optional.empty();
      }
      if (witness.mainClass == null) {
        throw new BadScript("no class in " + main);
      }
      return Optional.of(
          new CompiledScript(
              witness.mainClass, memory.classes(), List.copyOf(witness.sources), libraries));
    }
  }

  /// Notes what javac reads, and the first class of the first file: the one whose `main` counts.
  private static final class Witness implements TaskListener {
    private final LinkedHashSet<Path> sources = new LinkedHashSet<>();
    private @Nullable String mainClass;

    @Override
    public void started(TaskEvent event) {
      switch (event.getKind()) {
        case PARSE -> sources.add(file(event));
        case ANALYZE -> {
          TypeElement type = event.getTypeElement();
          if (mainClass == null && type != null && file(event).equals(sources.getFirst())) {
            mainClass = type.getQualifiedName().toString();
          }
        }
        default -> {}
      }
    }

    private static Path file(TaskEvent event) {
      return Path.of(event.getSourceFile().toUri());
    }
  }
}
