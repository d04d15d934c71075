package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.notice.FramePlace;
import io.github.cassandralock.internal.notice.UnsentFrame;
import io.github.cassandralock.internal.time.Ticker;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * One address that frames are sent to, and the connection to it. Used by the transport's thread alone, apart from {@link
 * #isLeftAlone()}.
 */
final class Peer {

    /** The most frames that wait for the connection; further ones are dropped. */
    static final int MOST_WAITING = 64;

    /** The shortest time between two requests whether an address still answers. */
    private static final long ASKS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String NO_CHALLENGE =
            "it sent no challenge of this version. It hangs, or it is of another version, with which this process"
                    + " exchanges no notices; then this is logged once";

    private final TransportSettings settings;
    private final Bootstrap connector;
    private final Ticker ticker;
    private final TransportWarnings warnings;
    private final ProtocolCounters counters;
    private final String name;
    private final Optional<InetSocketAddress> address;
    private final Deque<UnsentFrame> waiting = new ArrayDeque<>();
    private @Nullable Channel connection;

    /** The first frame of the other side on the connection; null until it arrives. No frame is sent before. */
    private byte @Nullable [] challenge;

    /** The number of the next frame on the connection. */
    private long number;

    /** When the last request for an answer was sent. */
    private long askedAt;

    private boolean unanswered;

    /** Whether the peer has answered on this connection. */
    private boolean answered;

    /** Whether the other side sent no challenge at the last try. */
    private boolean wasUnchallenged;

    private volatile @Nullable Long leftAloneUntil;

    Peer(
            String address,
            TransportSettings settings,
            Bootstrap connector,
            Ticker ticker,
            TransportWarnings warnings,
            ProtocolCounters counters) {
        this.name = address;
        this.warnings = warnings;
        this.counters = counters;
        this.settings = settings;
        this.connector = connector;
        this.ticker = ticker;
        this.address = HostAndPort.parse(address);
    }

    /** Whether nothing is sent to the address at present. May be called from any thread. */
    boolean isLeftAlone() {
        Long until = leftAloneUntil;
        return until != null && ticker.nanos() - until < 0;
    }

    boolean isUnconnected() {
        return connection == null && !isLeftAlone();
    }

    void send(UnsentFrame frame) {
        if (isLeftAlone()) {
            dropped();
            return;
        }
        Channel present = connection;
        byte[] challenged = challenge;
        if (present != null && challenged != null) {
            write(present, challenged, frame);
        } else if (waiting.size() < MOST_WAITING) {
            waiting.add(frame);
            if (present == null) {
                connect();
            }
        } else {
            dropped();
        }
    }

    private void dropped() {
        counters.add(Counted.NOTICE_DROPPED);
    }

    private void dropWhatWaits() {
        waiting.forEach(frame -> dropped());
        waiting.clear();
    }

    /** Leaves a peer alone that does not answer in time, or does not read. */
    private void write(Channel present, byte[] challenged, UnsentFrame frame) {
        long now = ticker.nanos();
        if (unanswered && now - askedAt > settings.leaveAlone().toNanos()) {
            dropped();
            leaveAlone("it does not answer");
        } else if (present.isWritable()) {
            byte[] bytes = frame.at(new FramePlace(challenged, number));
            number++;
            present.write(Frames.encode(present, bytes), present.voidPromise());
            ask(present, now);
            present.flush();
        } else {
            dropped();
        }
    }

    private void ask(Channel present, long now) {
        if (!unanswered && now - askedAt >= ASKS_NANOS) {
            unanswered = true;
            askedAt = now;
            present.write(Frames.encode(present, new byte[0]), present.voidPromise());
        }
    }

    private void connect() {
        if (address.isEmpty()) {
            leaveAlone("that is no address");
            return;
        }
        InetSocketAddress to = address.get();
        ChannelFuture connecting = connector
                .clone()
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        initialize(channel, to);
                    }
                })
                .connect(to);
        Channel channel = connecting.channel();
        connection = channel;
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                ended(channel, TransportWarnings.reason(done.cause()));
                return;
            }
            channel.closeFuture()
                    .addListener(closed -> ended(
                            channel, challenge == null ? NO_CHALLENGE : "it closed the connection without an answer"));
            channel.eventLoop()
                    .schedule(
                            () -> mustBeChallenged(channel),
                            settings.leaveAlone().toNanos(),
                            TimeUnit.NANOSECONDS);
        });
    }

    private void mustBeChallenged(Channel channel) {
        if (channel == connection && challenge == null) {
            leaveAlone(NO_CHALLENGE);
        }
    }

    private void initialize(SocketChannel channel, InetSocketAddress to) {
        settings.tls().ifPresent(tls -> {
            SslHandler handler = tls.get().client().newHandler(channel.alloc(), to.getHostString(), to.getPort());
            handler.setHandshakeTimeoutMillis(settings.connectTimeout().toMillis());
            trustByCertificateAlone(handler);
            channel.pipeline().addLast(handler);
            handler.handshakeFuture().addListener(done -> {
                if (!done.isSuccess()) {
                    ended(channel, TransportWarnings.reason(done.cause()));
                }
            });
        });
        Frames.decode(channel.pipeline());
        channel.pipeline()
                .addLast(new IdleStateHandler(0, settings.idle().toNanos(), 0, TimeUnit.NANOSECONDS))
                .addLast(new Answers());
    }

    /** Processes move between hosts: the trust store decides who belongs to the fleet, not the name of the host. */
    private static void trustByCertificateAlone(SslHandler handler) {
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("");
        handler.engine().setSSLParameters(parameters);
    }

    private void challenged(Channel channel, byte[] bytes) {
        challenge = bytes;
        number = 0;
        wasUnchallenged = false;
        unanswered = false;
        answered = false;
        askedAt = ticker.nanos() - ASKS_NANOS;
        sendWhatWaits(channel, bytes);
    }

    /** A write may end the connection, and drop the rest. */
    private void sendWhatWaits(Channel channel, byte[] bytes) {
        for (UnsentFrame frame = waiting.poll(); frame != null; frame = waiting.poll()) {
            write(channel, bytes, frame);
        }
    }

    /**
     * A connection with earlier answers may have been closed as idle just when this side used it again. The next frame then makes a
     * new one.
     *
     * @param why the address is left alone if it did not accept the connection, or has answered nothing
     */
    private void ended(Channel channel, String why) {
        if (channel == connection) {
            boolean strange = challenge == null || (unanswered && !answered);
            boolean failed = strange && !channel.eventLoop().isShuttingDown();
            connection = null;
            challenge = null;
            dropWhatWaits();
            if (failed) {
                leaveAlone(why);
            }
        }
    }

    /** Instances of two versions may run side by side for hours, so a missing challenge is logged once. */
    private void leaveAlone(String why) {
        boolean unchallenged = why.equals(NO_CHALLENGE);
        if (!unchallenged || !wasUnchallenged) {
            warnings.leftAlone(name, why, settings.leaveAlone());
        }
        wasUnchallenged = unchallenged;
        leftAloneUntil = ticker.nanos() + settings.leaveAlone().toNanos();
        dropWhatWaits();
        Channel present = connection;
        connection = null;
        challenge = null;
        if (present != null) {
            present.close();
        }
    }

    /** What the other side sends over this connection: a challenge, and empty answers. */
    private final class Answers extends SimpleChannelInboundHandler<ByteBuf> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
            if (context.channel() != connection) {
                context.close();
            } else if (challenge == null) {
                Challenge.read(frame)
                        .ifPresentOrElse(bytes -> challenged(context.channel(), bytes), () -> leaveAlone(NO_CHALLENGE));
            } else if (frame.isReadable()) {
                context.close();
            } else {
                unanswered = false;
                answered = true;
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof IdleStateEvent) {
                context.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            ended(context.channel(), TransportWarnings.reason(cause));
            context.close();
        }
    }
}
