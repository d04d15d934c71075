package io.github.cassandralock.internal.netty;

import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections that others have to this process. Authentic connections are separate from unknown ones, so a stranger takes no
 * place from processes of the fleet. Used by the transport's thread alone, apart from {@link #size()}.
 */
final class InboundConnections {

    /** The bound of connections without an authentic frame. */
    static final int MOST_UNKNOWN = 256;

    /** The bound of connections with an authentic frame. */
    private static final int MOST_AUTHENTIC = 4_096;

    /** The oldest first. */
    private final Set<Channel> unknown = new LinkedHashSet<>();

    private final Set<Channel> authentic = new HashSet<>();
    private final AtomicInteger size = new AtomicInteger();
    private final TransportWarnings warnings;

    InboundConnections(TransportWarnings warnings) {
        this.warnings = warnings;
    }

    /** Adds a connection that has brought nothing yet. If there are too many such connections, the oldest is closed. */
    void add(Channel connection) {
        size.incrementAndGet();
        unknown.add(connection);
        connection.closeFuture().addListener(done -> remove(connection));
        if (unknown.size() > MOST_UNKNOWN) {
            warnings.tooMany(MOST_UNKNOWN, "connections without an authentic notice");
            closeAtOnce(unknown.iterator().next());
        }
    }

    private void remove(Channel connection) {
        size.decrementAndGet();
        unknown.remove(connection);
        authentic.remove(connection);
    }

    /** Sends no closing message of TLS: the other side could delay the end by not reading it. */
    private static void closeAtOnce(Channel connection) {
        connection.unsafe().close(connection.voidPromise());
    }

    /**
     * Records that a connection has brought its first authentic frame.
     *
     * @return false if there are too many authentic connections, and this connection is to be closed
     */
    boolean becomesAuthentic(Channel connection) {
        if (authentic.size() >= MOST_AUTHENTIC) {
            warnings.tooMany(MOST_AUTHENTIC, "connections of other processes");
            return false;
        }
        unknown.remove(connection);
        authentic.add(connection);
        return true;
    }

    /** May be called from any thread. */
    int size() {
        return size.get();
    }
}
