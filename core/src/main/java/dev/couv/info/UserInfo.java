// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import java.nio.file.Path;

/// The user that this process runs as. On Windows there are no numbers and no shell: -1 and "".
public record UserInfo(String name, long uid, long gid, String shell, Path home) {}
