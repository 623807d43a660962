# SPDX-License-Identifier: Apache-2.0
#
# What the scripts here have in common: finding the tools and building the Java side. Sourced, with
# "here" set to this directory.

target=$here/target

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# need COMMAND WHAT PACKAGE
need() {
  command -v "$1" >/dev/null || fail "$2 is missing; on Debian: apt-get install $3"
}

two_cores() {
  (($(nproc) >= 2)) || fail "two cores are needed, one for the server and one for the load"
}

find_java() {
  local home
  for home in "${JAVA25_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*25*; do
    if [[ -x $home/bin/java ]] && "$home/bin/java" --version 2>/dev/null | head -1 | grep -q ' 25'; then
      java=$home/bin/java
      return
    fi
  done
  fail "no JDK 25 found: install one, or set JAVA25_HOME"
}

# Sets java and class_path. Maven is quick where nothing has changed.
build_java() {
  find_java
  need mvn "Maven" maven
  (cd "$here/.." && mvn -q -Pbench -pl core,http,bench -DskipTests package) >&2
  class_path=$target/classes
  local jar
  for jar in "$target"/lib/*.jar; do class_path+=:$jar; done
}
