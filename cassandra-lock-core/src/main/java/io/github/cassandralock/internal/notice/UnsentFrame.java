package io.github.cassandralock.internal.notice;

/** A frame whose place is not decided yet. Thread-safe as long as {@link #at} is called once. */
public interface UnsentFrame {

    /** How many bytes it has, wherever it is sent. */
    int length();

    /** Returns its bytes for this place. Called at most once. Does no I/O. */
    byte[] at(FramePlace place);
}
