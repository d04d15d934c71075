package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.notice.NoticeTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A connection that another process made: its frames are received, its empty frames are answered. */
final class InboundConnection extends SimpleChannelInboundHandler<ByteBuf> {

    private final NoticeTransport.Receiver receiver;
    private final Duration idle;

    InboundConnection(NoticeTransport.Receiver receiver, Duration idle) {
        this.receiver = receiver;
        this.idle = idle;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.pipeline()
                .addBefore(context.name(), null, new IdleStateHandler(idle.toNanos(), 0, 0, TimeUnit.NANOSECONDS));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (!frame.isReadable()) {
            answer(context);
        } else if (!receiver.received(Frames.copy(frame))) {
            context.close();
        }
    }

    /** A peer that asks and does not read the answers gets none. */
    private static void answer(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            context.writeAndFlush(Frames.encode(context.channel(), new byte[0]));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.close();
        }
    }

    /** Whatever the other side did or sent, nothing of it is read any more. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
