package io.github.cassandralock.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.cassandralock.internal.notice.FramePlace;
import io.github.cassandralock.internal.notice.NoticeTransport.Reception;
import io.github.cassandralock.internal.notice.UnsentFrame;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What tests see of a transport from outside. */
public final class TransportProbe {

    private TransportProbe() {}

    /** From now on the transport takes every frame for an authentic one; the list grows by each. */
    public static List<String> receivedBy(NettyNoticeTransport transport) {
        List<String> received = new CopyOnWriteArrayList<>();
        transport.receiveBy((frame, place) -> {
            received.add(new String(frame, US_ASCII));
            return Reception.AUTHENTIC;
        });
        return received;
    }

    /** A frame that has the same bytes wherever it is sent. */
    public static UnsentFrame unsent(byte[] frame) {
        return new UnsentFrame() {
            @Override
            public int length() {
                return frame.length;
            }

            @Override
            public byte[] at(FramePlace place) {
                return frame;
            }
        };
    }

    /** Where it listens. */
    public static int port(NettyNoticeTransport transport) {
        String address = transport.address();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
