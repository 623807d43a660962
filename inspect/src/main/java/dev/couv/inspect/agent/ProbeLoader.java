// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.agent;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/// Loads the probe out of the asker's own jar, whatever other version the program may have, and Couv as the program does.
final class ProbeLoader extends URLClassLoader {
  private static final String PROBE = "dev.couv.inspect.probe.";

  ProbeLoader(String jar, ClassLoader couv) throws MalformedURLException {
    super("couv-inspect", new URL[] {Path.of(jar).toUri().toURL()}, couv);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROBE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }
}
