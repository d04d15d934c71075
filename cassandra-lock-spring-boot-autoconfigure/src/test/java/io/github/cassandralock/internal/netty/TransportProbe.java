package io.github.cassandralock.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.cassandralock.internal.notice.NoticeTransport.Reception;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What tests see of a transport from outside. */
public final class TransportProbe {

    private TransportProbe() {}

    /** From now on the transport takes every frame for an authentic one; the list grows by each. */
    public static List<String> receivedBy(NettyNoticeTransport transport) {
        List<String> received = new CopyOnWriteArrayList<>();
        transport.receiveBy(frame -> {
            received.add(new String(frame, US_ASCII));
            return Reception.AUTHENTIC;
        });
        return received;
    }

    /** Where it listens. */
    public static int port(NettyNoticeTransport transport) {
        String address = transport.address();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
