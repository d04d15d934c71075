package io.github.cassandralock.internal.notice;

/**
 * Carries frames of bytes between addresses. A frame may get lost. No method blocks, waits or throws, even after the end of the
 * transport. Thread-safe.
 */
public interface NoticeTransport {

    /** Receives the frames of all connections, on the transport's thread. Must not block or throw. */
    @FunctionalInterface
    interface Receiver {

        /** @param place where on its connection the frame arrived */
        Reception received(byte[] frame, FramePlace place);
    }

    /** What a frame shows about its sender. */
    enum Reception {

        /** The sender may read the sessions' table: its code was right. Its connection stays. */
        AUTHENTIC,

        /** Nothing: the frame is for a session of another process. The connection is closed after a few of these. */
        UNKNOWN_RECEIVER,

        /** The sender must be ignored: its connection is closed. */
        REFUSED
    }

    /** Where other processes reach this transport, {@code host:port}. */
    String address();

    /** Sets the receiver of all frames from now on. Frames that arrived earlier are dropped. Called once. */
    void receiveBy(Receiver receiver);

    /** False if the address refused or ignored this process lately. */
    boolean mayReach(String address);

    /** Sends a frame, or drops it. Its place is decided on the transport's thread, when it is written. */
    void send(String address, UnsentFrame frame);
}
