// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;

/// The second step of packing a module (`pom.xml`): adds its descriptor to the jar. A jar that has it stays untouched:
/// to Maven one that was written in this build is a change, for which all that depends on it is compiled again.
///
/// Arguments: the jar, the folder of its classes, and what else the jar tool is to be told.
void main(String[] arguments) throws Exception {
  Path jar = Path.of(arguments[0]);
  if (isComplete(jar, Path.of(arguments[1], "module-info.class"))) {
    return;
  }
  var command = new ArrayList<String>(List.of("--update", "--file", jar.toString()));
  command.addAll(List.of(arguments).subList(2, arguments.length));
  command.addAll(List.of("-C", arguments[1], "module-info.class"));
  ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
  System.exit(tool.run(System.out, System.err, command.toArray(String[]::new)));
}

boolean isComplete(Path jar, Path descriptor) throws IOException {
  try (var file = new JarFile(jar.toFile())) {
    return file.getEntry("module-info.class") != null
        && Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(descriptor)) >= 0;
  }
}
