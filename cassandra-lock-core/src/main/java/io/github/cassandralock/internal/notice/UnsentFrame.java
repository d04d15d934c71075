package io.github.cassandralock.internal.notice;

/** A frame whose place is not decided yet. Thread-safe as long as {@link #at} is called once. */
public interface UnsentFrame {

    /** The number of its bytes, which does not depend on the place. */
    int length();

    /** Returns its bytes for this place. Called at most once. Does no I/O. */
    byte[] at(FramePlace place);
}
