package io.github.cassandralock.testing.proxies;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * Stands in front of a node, or of a worker that receives notices. While it is cut, connections stay open and nothing goes
 * through, in one direction or in both; what was sent meanwhile arrives when it is healed, however late that is. While it
 * refuses, connections are closed, as those to a node that was killed. Thread-safe.
 */
public final class CuttableProxy implements AutoCloseable {

    private final InetSocketAddress target;
    private final Direction requests = new Direction();
    private final Direction answers = new Direction();
    private final Channel listener;
    private final AtomicLong relayed = new AtomicLong();
    private volatile boolean refusing;

    /** All connections of one direction. A connection is known before it is looked whether to read, so that a cut in between meets it. */
    private static final class Direction {

        private final ChannelGroup senders = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        private volatile boolean cut;
        private volatile long delayNanos;

        void join(Channel sender) {
            senders.add(sender);
            sender.config().setAutoRead(!cut);
        }

        void setCut(boolean isCut) {
            cut = isCut;
            senders.forEach(sender -> sender.config().setAutoRead(!isCut));
        }
    }

    /** @param threads stay open when the proxy is closed */
    public CuttableProxy(EventLoopGroup threads, InetSocketAddress target) {
        this(threads, port -> target);
    }

    /** @param target receives the port on which the proxy listens */
    public CuttableProxy(EventLoopGroup threads, IntFunction<InetSocketAddress> target) {
        listener = new ServerBootstrap()
                .group(threads)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        accept(client);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        this.target = target.apply(address().getPort());
    }

    private void accept(Channel client) {
        if (refusing) {
            client.close();
            return;
        }
        Bootstrap toNode = new Bootstrap()
                .group(client.eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new Relay(client, answers));
        toNode.connect(target).addListener((ChannelFutureListener) connected -> {
            if (connected.isSuccess()) {
                client.pipeline().addLast(new Relay(connected.channel(), requests));
                requests.join(client);
                answers.join(connected.channel());
                if (refusing) { // since this connection was accepted
                    client.close();
                }
            } else {
                client.close();
            }
        });
    }

    /** Bytes stay in order, also when the delay changes. */
    private final class Relay extends ChannelInboundHandlerAdapter {

        private final Channel to;
        private final Direction direction;
        private long lastSentAt = System.nanoTime();

        Relay(Channel to, Direction direction) {
            this.to = to;
            this.direction = direction;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            relayed.addAndGet(((ByteBuf) bytes).readableBytes());
            long now = System.nanoTime();
            lastSentAt += Math.max(0, now + direction.delayNanos - lastSentAt);
            to.eventLoop().schedule(() -> to.writeAndFlush(bytes), lastSentAt - now, TimeUnit.NANOSECONDS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            to.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    public InetSocketAddress target() {
        return target;
    }

    /** How many bytes have come from both sides. */
    public long relayed() {
        return relayed.get();
    }

    public void cut() {
        cutRequests();
        cutAnswers();
    }

    /** Nothing arrives at the target; what it sends goes through. */
    public void cutRequests() {
        requests.setCut(true);
    }

    /** Nothing that the target sends arrives; what is sent to it does. */
    public void cutAnswers() {
        answers.setCut(true);
    }

    /** Closes all connections, and each new one at once. */
    public void refuse() {
        refusing = true;
        requests.senders.forEach(Channel::close); // a group that is closed closes what joins it later
    }

    /** Ends a cut and a refusal. */
    public void heal() {
        refusing = false;
        requests.setCut(false);
        answers.setCut(false);
    }

    /** Everything takes so much longer, in both directions. */
    public void delay(Duration time) {
        requests.delayNanos = time.toNanos();
        delayAnswers(time);
    }

    /** What the target sends takes so much longer. */
    public void delayAnswers(Duration time) {
        answers.delayNanos = time.toNanos();
    }

    /** Closes all connections, too. */
    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        requests.senders.close().syncUninterruptibly();
        answers.senders.close().syncUninterruptibly();
    }
}
