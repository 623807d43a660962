// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.Launch;
import dev.couv.world.Processes;
import dev.couv.world.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Where a process in memory starts children. What can be started was told the machine before: bodies in Java, by the files that
/// stand for them.
final class MemoryProcesses implements Processes {
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

  private final MemoryProcess parent;
  private final Node node;

  MemoryProcesses(MemoryProcess parent) {
    this.parent = parent;
    node = parent.node();
  }

  @Override
  public Launch prepare(EventLoop loop, Program program) throws IOException {
    Runner runner = node.runner();
    if (program.uid() != null || program.gid() != null) {
      throw new UnsupportedOperationException(
          "the world in memory has one user: " + program.name() + " cannot run as another");
    }
    parent.enter(loop);
    Path dir = program.dir() == null ? parent.dir() : directory(program.dir());
    Path file = find(program.name(), dir);
    Runner.Main main = node.program(file);
    if (main == null) {
      throw new AssertionError(file + " was a program a moment ago");
    }
    MemoryProcess.Birth birth =
        new MemoryProcess.Birth(
            program.words(), file, parent, program.detached(), dir, variables(program));
    return new MemoryLaunch(parent, loop, birth, runner, main);
  }

  private Path directory(Path named) throws IOException {
    try {
      Tree.Place place = node.tree().find(parent.absolute(named), true);
      if (!place.existing().isDirectory()) {
        throw new Errno("ENOTDIR");
      }
      return place.path();
    } catch (Errno met) {
      throw Failures.ofFile(met.code(), "start in", named.toString());
    }
  }

  /// By the name itself if it has a slash, and then as seen from the child's directory; else in the places of this process's
  /// `PATH`.
  private Path find(String name, Path dir) throws IOException {
    if (name.indexOf('/') >= 0) {
      Path file = dir.resolve(name);
      if (node.program(file) == null) {
        throw Failures.ofFile(exists(file) ? "EACCES" : "ENOENT", "start", name);
      }
      return file.normalize();
    }
    boolean forbidden = false;
    String path = parent.environment().get("PATH");
    for (String place : (path == null ? USUAL_PATH : path).split(":", -1)) {
      Path file = parent.absolute(Path.of(place)).resolve(name);
      if (node.program(file) != null) {
        return file.normalize();
      }
      Inode there = inode(file);
      forbidden |= there != null && there.isFile();
    }
    throw Failures.ofFile(forbidden ? "EACCES" : "ENOENT", "start", name);
  }

  private boolean exists(Path file) {
    return inode(file) != null;
  }

  private @Nullable Inode inode(Path file) {
    try {
      return node.tree().inode(file, true);
    } catch (Errno absent) {
      return null;
    }
  }

  private Map<String, String> variables(Program program) {
    Map<String, String> said = program.env();
    Map<String, String> all =
        new LinkedHashMap<>(said == null ? parent.environment().all() : sorted(said));
    all.putAll(sorted(program.variables()));
    return all;
  }

  /// Maps that do not change have another order in each VM.
  private static Map<String, String> sorted(Map<String, String> variables) {
    return new TreeMap<>(variables);
  }
}
