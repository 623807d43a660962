// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import java.nio.file.Path;

/// The user that this process runs as. On Windows there are no numbers and no shell: -1 and "".
///
/// @param name the name that he logs in by
/// @param uid his number, from 0 on
/// @param gid the number of his group, from 0 on
/// @param shell the program that he has when he has logged in
/// @param home where his files are
public record UserInfo(String name, long uid, long gid, String shell, Path home) {}
