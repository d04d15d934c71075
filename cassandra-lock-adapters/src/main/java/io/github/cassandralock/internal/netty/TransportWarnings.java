package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators read about connections, at most one line a minute of each kind. Thread-safe. */
final class TransportWarnings {

    private static final Logger log = LoggerFactory.getLogger(TransportWarnings.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final RepeatedWarning leftAlone;
    private final RepeatedWarning closed;
    private final RepeatedWarning tooMany;

    TransportWarnings(Timers timers) {
        this.leftAlone = new RepeatedWarning(log, timers, INTERVAL);
        this.closed = new RepeatedWarning(log, timers, INTERVAL);
        this.tooMany = new RepeatedWarning(log, timers, INTERVAL);
    }

    /** @param why completes the sentence "No notices are sent to …, because …" */
    void leftAlone(String address, String why, Duration time) {
        leftAlone.warn("No notices are sent to " + address + " for " + DurationText.of(time) + ", because " + why
                + ". Nothing is lost but speed: this process reads from Cassandra instead. If a process runs there that"
                + " shares these locks, check that this machine can connect to it. Check the firewall, and"
                + " cassandra-lock.notices.advertised-address of that process. Check that both or neither set"
                + " cassandra-lock.notices.ssl.bundle");
    }

    /** Warns that a connection was closed because of what it brought. */
    void closed(SocketAddress from, Throwable cause) {
        closed.warn("A connection from " + from + " was closed, because " + reason(cause)
                + ". The locks are not affected. If this goes on, find out which program connects from there. Check"
                + " that all processes that share these locks set cassandra-lock.notices.ssl.bundle, or none");
    }

    /** Warns that a connection was closed after too many frames in a row that were empty or for other processes. */
    void withoutEffect(SocketAddress from, int most) {
        closed.warn("A connection from " + from + " was closed, because " + most
                + " frames in a row were for no session of this process. The locks are not affected. If this goes on, find out"
                + " which program connects from there");
    }

    /** @param what names the connections of which there are too many */
    void tooMany(int most, String what) {
        tooMany.warn(
                "More than " + most + " " + what + " are open to the port for notices, so one was closed. If this goes"
                        + " on, find out which programs connect to this port. Configure a firewall that admits only the processes"
                        + " that share these locks");
    }

    /** Completes the sentence "No notices are sent, because …". It never quotes what the other side sent. */
    static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof NotSslRecordException) {
            return "what it sent is not TLS";
        } else if (cause instanceof SSLException) {
            return "the TLS handshake failed: " + cause.getMessage();
        } else if (cause instanceof DecoderException) {
            return "what it sent is no frame, or a longer one than " + Frames.LONGEST + " bytes";
        } else if (cause instanceof UnknownHostException) {
            return "its host name cannot be looked up: " + cause.getMessage();
        }
        return "the connection failed: " + cause.getMessage();
    }
}
