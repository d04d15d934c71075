package io.github.cassandralock.internal.notice;

/**
 * Carries frames of bytes between addresses. A frame may get lost. No method blocks, waits or throws, after the end of the
 * transport neither. Thread-safe.
 */
public interface NoticeTransport {

    /** Takes the frames that arrive, of all connections, on the transport's thread. Must not block or throw. */
    @FunctionalInterface
    interface Receiver {

        /** @param place where on its connection the frame arrived */
        Reception received(byte[] frame, FramePlace place);
    }

    /** What a frame says about its sender. */
    enum Reception {

        /** The sender may read the sessions' table: its code was right. Its connection stays. */
        AUTHENTIC,

        /** Nothing: the frame is for a session that is not of this process. The connection is closed after a few of these. */
        UNKNOWN_RECEIVER,

        /** The sender is not to be listened to any more: its connection is closed. */
        REFUSED
    }

    /** Where other processes reach this transport, {@code host:port}. */
    String address();

    /** Says who takes the frames that arrive from now on. Frames that arrived earlier are dropped. Called once. */
    void receiveBy(Receiver receiver);

    /** Whether the address did not refuse or ignore this process lately. */
    boolean mayReach(String address);

    /** Sends a frame, or drops it. Its place is decided on the transport's thread, when it is written. */
    void send(String address, UnsentFrame frame);
}
