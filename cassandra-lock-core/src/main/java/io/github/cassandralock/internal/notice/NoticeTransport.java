package io.github.cassandralock.internal.notice;

/**
 * Carries frames of bytes between addresses. A frame may get lost. No method blocks, waits or throws, after the end of the
 * transport neither. Thread-safe.
 */
public interface NoticeTransport {

    /** Takes the frames that arrive, of all connections, on the transport's thread. Must not block or throw. */
    @FunctionalInterface
    interface Receiver {

        /** @return false if the sender is not to be listened to any more: its connection is closed */
        boolean received(byte[] frame);
    }

    /** Where other processes reach this transport, {@code host:port}. */
    String address();

    /** Says who takes the frames that arrive from now on. Frames that arrived earlier are dropped. Called once. */
    void receiveBy(Receiver receiver);

    /** Whether the address did not refuse or ignore this process lately. */
    boolean mayReach(String address);

    /** Sends a frame, or drops it. The caller must not change the frame any more. */
    void send(String address, byte[] frame);
}
