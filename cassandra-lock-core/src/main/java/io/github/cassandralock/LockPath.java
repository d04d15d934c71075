package io.github.cassandralock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of a resource in a hierarchy: a bank, its accounts, one account. A lock of a path in mode {@link LockMode#EXCLUSIVE},
 * or {@link LockMode#PROTECTED_READ} to read, covers everything below it. {@link MultiLockRequest#ofPath(LockPath)} takes weak locks
 * above it, which conflict only with locks of a whole part of the hierarchy.
 *
 * <pre>{@code
 * LockPath account = LockPath.of("bank", "accounts", "42");
 * try (RemoteLocks locks = locker.getLocks(MultiLockRequest.ofPath(account))) { ... }
 * }</pre>
 *
 * <p>Each node is one lock. The text of its path is the lock id: {@code bank}, {@code bank/accounts}, and {@code bank/accounts/42}.
 *
 * <p>Immutable and thread-safe. Paths have the order of their lock ids, so a path is before everything below it.
 */
@Experimental
public final class LockPath implements Comparable<LockPath> {

    private static final String SEPARATOR = "/";

    private final String lockId;

    private LockPath(String lockId) {
        this.lockId = lockId;
    }

    /**
     * Returns the path with these parts.
     *
     * @param root the first part: not blank, without {@code /} and control characters
     * @param below the other parts, from the top to the bottom
     * @return the path
     * @throws IllegalArgumentException if a part is null or blank, or contains {@code /} or a control character; if the path's
     *        lock id is longer than 512 bytes in UTF-8
     */
    public static LockPath of(String root, String... below) {
        LockPath path = new LockPath(LockIdRules.check(part(root, "")));
        if (below == null) {
            throw invalid("The array of parts below '" + root + "' is null");
        }
        for (String part : below) {
            path = path.child(part);
        }
        return path;
    }

    private static String part(@Nullable String part, String above) {
        if (part == null || !LockIdRules.isVisible(part)) {
            throw invalid((above.isEmpty() ? "The first part" : "The part after '" + above + "'")
                    + " of a lock path is " + (part == null ? "null" : "blank"));
        }
        if (part.contains(SEPARATOR)) {
            throw invalid("The part '" + LockIdRules.shown(part) + "' of a lock path contains '" + SEPARATOR
                    + "', which separates parts");
        }
        return part;
    }

    private static IllegalArgumentException invalid(String what) {
        return new IllegalArgumentException(
                what + "; name each node of the hierarchy, e.g. LockPath.of(\"bank\", \"accounts\", \"42\")");
    }

    /**
     * Returns the path of a node directly below this node.
     *
     * @param name the last part
     * @return the path
     * @throws IllegalArgumentException where {@link #of(String, String...)} throws it
     */
    public LockPath child(String name) {
        return new LockPath(LockIdRules.check(lockId + SEPARATOR + part(name, lockId)));
    }

    /**
     * Returns the path of the node directly above this node.
     *
     * @return empty at the top of the hierarchy
     */
    public Optional<LockPath> getParent() {
        int last = lockId.lastIndexOf(SEPARATOR);
        return last < 0 ? Optional.empty() : Optional.of(new LockPath(lockId.substring(0, last)));
    }

    /** The nodes above this node, from the top to the bottom. */
    List<LockPath> ancestors() {
        List<LockPath> ancestors = new ArrayList<>();
        for (int end = lockId.indexOf(SEPARATOR); end >= 0; end = lockId.indexOf(SEPARATOR, end + 1)) {
            ancestors.add(new LockPath(lockId.substring(0, end)));
        }
        return ancestors;
    }

    boolean isAbove(LockPath other) {
        return other.lockId.startsWith(lockId + SEPARATOR);
    }

    /**
     * Returns the lock id of this node.
     *
     * @return the parts, separated by {@code /}
     */
    public String getLockId() {
        return lockId;
    }

    @Override
    public int compareTo(LockPath other) {
        return lockId.compareTo(other.lockId);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockPath path && lockId.equals(path.lockId);
    }

    @Override
    public int hashCode() {
        return lockId.hashCode();
    }

    /** Returns the lock id. */
    @Override
    public String toString() {
        return lockId;
    }
}
