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

# Sets java and class_path. Maven is quick where nothing has changed; COUV_BENCH_BUILT=yes takes what is there, for those who measure again
# and again.
build_java() {
  find_java
  if [[ ! ${COUV_BENCH_BUILT:-} ]]; then
    need mvn "Maven" maven
    (cd "$here/.." && mvn -q -Pbench -pl core,http,cluster,bench -DskipTests package) >&2
  fi
  class_path=$target/classes
  local jar
  for jar in "$target"/lib/*.jar; do class_path+=:$jar; done
}

has_header() {
  echo "#include <$1>" | cc -fsyntax-only -x c - 2>/dev/null
}

# compile NAME OPTION… : c/NAME.c to bin/NAME.
compile() {
  cc -std=gnu11 -O2 -Wall -Wextra -o "$target/contest/bin/$1" "$here/c/$1.c" "${@:2}"
}

# The version of a crate that Debian keeps here.
crate_version() {
  local directory
  for directory in /usr/share/cargo/registry/"$1"-[0-9]*; do
    [[ -d $directory ]] && echo "${directory##*-}"
  done
}

# tokio from Debian's sources alone: nothing is downloaded. Built from a copy, because what cargo notes down beside the source is of this machine.
build_tokio() {
  local copy=$target/tokio/source
  [[ $target/contest/bin/tokio_server -nt $here/peers/tokio/src/main.rs ]] && return
  mkdir -p "$target/tokio"
  rm -rf "$copy"
  cp -r "$here/peers/tokio" "$copy"
  TOKIO=$(crate_version tokio) RUSTC_VERSION=$(rustc --version) cargo build --quiet --release --offline \
    --manifest-path "$copy/Cargo.toml" --target-dir "$target/tokio" \
    --config 'source.crates-io.replace-with="debian"' --config 'source.debian.directory="/usr/share/cargo/registry"' &&
    cp "$target/tokio/release/tokio_server" "$target/contest/bin/"
}

# Whom TLS servers say they are.
make_certificate() {
  [[ -s $target/contest/tls/certificate.pem ]] && return
  need openssl "openssl" openssl
  mkdir -p "$target/contest/tls"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj /CN=localhost \
    -keyout "$target/contest/tls/key.pem" -out "$target/contest/tls/certificate.pem" 2>/dev/null
}

# The programs that are not Java, as far as this machine can build them. What it cannot build the comparison leaves out, and names
# (bench/needs).
build_peers() {
  need cc "a C compiler" gcc
  mkdir -p "$target/contest/bin"
  if has_header openssl/ssl.h; then
    compile load -DTLS -lssl -lcrypto
    make_certificate
  else
    compile load
  fi
  if has_header uv.h; then
    compile echo_server -luv
    compile udp_server -luv
    compile files -luv
  fi
  if has_header liburing.h; then
    compile uring_server "-DLIBURING=\"$(pkg-config --modversion liburing)\"" -luring
  fi
  if command -v cargo >/dev/null && [[ -n $(crate_version tokio) ]]; then
    build_tokio || echo "$(basename "$0"): tokio could not be built" >&2
  fi
  if command -v go >/dev/null; then
    go build -o "$target/contest/bin/echo_go" "$here/peers/echo.go"
    go build -o "$target/contest/bin/http_go" "$here/peers/http.go"
  fi
}

# contest CLASS ARGUMENT… : the comparison, with as many descriptors as are allowed.
contest() {
  need taskset "taskset" util-linux
  two_cores
  ulimit -n "$(ulimit -Hn)"
  mkdir -p "$target/contest"
  exec "$java" -Xmx256m -XX:+UseSerialGC -cp "$class_path" "dev.couv.bench.contest.$1" "bench/$(basename "$0")" \
    "$(dirname "$here")" "$target/contest" "${@:2}"
}

# wants_help ARGUMENT…
wants_help() {
  case " $* " in *" --help "* | *" -h "*) return 0 ;; esac
  return 1
}
