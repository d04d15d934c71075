package io.github.cassandralock;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Which lock ids are valid. A lock id becomes a partition key, part of log lines, and a tag of metrics. */
final class LockIdRules {

    static final int MAX_BYTES = 512;

    private LockIdRules() {}

    /**
     * Returns the lock id if it is valid.
     *
     * @throws IllegalArgumentException that names the rule it breaks
     */
    static String check(@Nullable String lockId) {
        if (lockId == null) {
            throw new IllegalArgumentException("The lock id is null; name the resource to lock, e.g. \"account:42\"");
        }
        if (lockId.isBlank()) {
            throw new IllegalArgumentException(
                    "The lock id '" + lockId + "' is blank; name the resource to lock, e.g. \"account:42\"");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(lockId)) {
            throw new IllegalArgumentException("The lock id '" + lockId.replaceAll("\\p{Cs}", "?")
                    + "' contains half of a surrogate pair, which UTF-8 cannot encode; use whole characters only");
        }
        int bytes = lockId.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "The lock id '" + lockId.substring(0, 40) + "…' is " + bytes + " bytes long in UTF-8; at most "
                            + MAX_BYTES + " are allowed: use a shorter name or a hash of it");
        }
        lockId.codePoints().filter(Character::isISOControl).findFirst().ifPresent(control -> {
            throw new IllegalArgumentException(String.format(
                    "The lock id '%s' contains the control character U+%04X; use printable characters only",
                    lockId.replaceAll("\\p{Cntrl}", "?"), control));
        });
        return lockId;
    }
}
