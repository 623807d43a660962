// SPDX-License-Identifier: Apache-2.0

// Prints what the platform's headers say about the functions that are bound, one line each:
//
//   <name> <size of the result> <size of each argument>...
//
// with 0 for void. SignaturesTest writes functions.inc, a line FUNCTION(name) for each, compiles
// this as C++14, runs it and compares. C++ only because it can take a function's type apart.

#include <cstdio>
#include <csignal>
#include <cstdlib>
#include <type_traits>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/socket.h>
#endif

#ifdef __linux__
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

template <typename T>
struct size_of {
  static constexpr size_t value = sizeof(T);
};

template <>
struct size_of<void> {
  static constexpr size_t value = 0;
};

template <typename Function>
struct signature;

template <typename Result, typename... Arguments>
struct signature<Result(Arguments...)> {
  static void print(const char* name) {
    const size_t sizes[] = {size_of<Result>::value, sizeof(Arguments)...};
    std::printf("%s", name);
    for (size_t size : sizes) std::printf(" %zu", size);
    std::printf("\n");
  }
};

int main() {
#define FUNCTION(name) signature<decltype(name)>::print(#name);
// C++ has a second function of the name: the cast finds the one that C has, or does not compile.
#define OVERLOADED(name, Function) \
  (void) static_cast<std::add_pointer<Function>::type>(name); \
  signature<Function>::print(#name);
// What follows the fixed arguments is given as the caller means it.
#define VARIADIC(name, Function) signature<Function>::print(#name);
#include "functions.inc"
  return 0;
}
