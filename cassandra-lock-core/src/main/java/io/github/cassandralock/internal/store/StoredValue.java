package io.github.cassandralock.internal.store;

/**
 * The value of a lock as one quorum read shows it (lock modes, section 6).
 *
 * @param bytes the value of the last closed change; empty if there was none
 * @param token of that change; 0 if there was none
 * @param open the token of the last change that was opened; 0 if there was none
 */
@SuppressWarnings("ArrayRecordComponent") // read only, and never compared
public record StoredValue(byte[] bytes, long token, long open) {

    /** No holder has ever opened a change. */
    public static final StoredValue NONE = new StoredValue(new byte[0], 0, 0);

    /** Whether a change was opened and not closed. */
    public boolean isDoubtful() {
        return open > token;
    }

    /** The token of the next change. */
    public long nextToken() {
        return 1 + Math.max(token, open);
    }
}
