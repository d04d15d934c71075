package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.notice.FramePlace;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that another process made. It gets a challenge, and its frames are received. It becomes authentic with its first
 * authentic frame. Before that, it gets no answer and has a short time. After that, its empty frames are answered. It is closed
 * when it has brought no authentic frame for a while.
 */
final class InboundConnection extends SimpleChannelInboundHandler<ByteBuf> {

    /** How many frames in a row may be empty or for others: as many as a peer keeps per connection. */
    static final int MOST_WITHOUT_EFFECT = Peer.MOST_WAITING;

    private final NoticeTransport.Receiver receiver;
    private final InboundConnections all;
    private final TransportSettings settings;
    private final Ticker ticker;
    private final TransportWarnings warnings;
    private final byte[] challenge = Challenge.create();

    /** The number of the next frame that is not empty. */
    private long number;

    /** How many frames came since the last authentic one. */
    private int withoutEffect;

    private boolean authentic;

    /** Whether an empty frame came before the connection was authentic. */
    private boolean owesAnswer;

    /** When the last authentic frame came. */
    private long heardAt;

    private @Nullable Future<?> end;

    InboundConnection(
            NoticeTransport.Receiver receiver,
            InboundConnections all,
            TransportSettings settings,
            Ticker ticker,
            TransportWarnings warnings) {
        this.receiver = receiver;
        this.all = all;
        this.settings = settings;
        this.ticker = ticker;
        this.warnings = warnings;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        end = context.executor()
                .schedule(
                        () -> {
                            context.close();
                        },
                        settings.unknown().toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.writeAndFlush(Frames.encode(context.channel(), Challenge.frame(challenge)));
        context.fireChannelActive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        cancelTheEnd();
    }

    private void cancelTheEnd() {
        Future<?> pending = end;
        if (pending != null) {
            pending.cancel(false);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        withoutEffect++;
        if (withoutEffect > MOST_WITHOUT_EFFECT) {
            warnings.withoutEffect(context.channel().remoteAddress(), MOST_WITHOUT_EFFECT);
            context.close();
        } else if (frame.isReadable()) {
            received(context, receiver.received(Frames.copy(frame), new FramePlace(challenge, number++)));
        } else if (authentic) {
            answer(context);
        } else {
            owesAnswer = true;
        }
    }

    private void received(ChannelHandlerContext context, NoticeTransport.Reception reception) {
        switch (reception) {
            case AUTHENTIC -> {
                heardAt = ticker.nanos();
                withoutEffect = 0;
                if (!authentic) {
                    becomesAuthentic(context);
                }
            }
            case UNKNOWN_RECEIVER -> {}
            case REFUSED -> context.close();
        }
    }

    private void becomesAuthentic(ChannelHandlerContext context) {
        if (!all.becomesAuthentic(context.channel())) {
            context.close();
            return;
        }
        authentic = true;
        cancelTheEnd();
        closeWhenIdle(context);
        if (owesAnswer) {
            answer(context);
        }
    }

    private void closeWhenIdle(ChannelHandlerContext context) {
        long left = heardAt + settings.idleInbound().toNanos() - ticker.nanos();
        if (left <= 0) {
            context.close();
        } else {
            end = context.executor().schedule(() -> closeWhenIdle(context), left, TimeUnit.NANOSECONDS);
        }
    }

    /** A peer that does not read the answers gets none. */
    private static void answer(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            context.writeAndFlush(Frames.encode(context.channel(), new byte[0]));
        }
    }

    /** After any failure, nothing more is read from the other side. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof DecoderException) {
            warnings.closed(context.channel().remoteAddress(), cause);
        }
        context.close();
    }
}
