package io.github.cassandralock.internal.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;

/** Frames on a connection: four bytes of length, then that many bytes. An empty frame requests an empty answer. */
final class Frames {

    /** The longest frame; a longer one ends the connection before it is read. */
    static final int LONGEST = 64 * 1024;

    private Frames() {}

    /** Splits incoming bytes into frames. */
    static void decode(ChannelPipeline pipeline) {
        pipeline.addLast(new LengthFieldBasedFrameDecoder(LONGEST + Integer.BYTES, 0, Integer.BYTES, 0, Integer.BYTES));
    }

    /** Copies a frame into a buffer of the connection. */
    static ByteBuf encode(io.netty.channel.Channel channel, byte[] frame) {
        return channel.alloc()
                .buffer(Integer.BYTES + frame.length)
                .writeInt(frame.length)
                .writeBytes(frame);
    }

    static byte[] copy(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }
}
