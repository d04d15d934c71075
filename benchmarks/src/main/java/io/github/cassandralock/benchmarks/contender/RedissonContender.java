package io.github.cassandralock.benchmarks.contender;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.NettyHook;
import org.redisson.config.Config;

/** Redisson's fair lock and its read-write lock with their defaults. */
final class RedissonContender implements Contender {

    private final SentCommands commands = new SentCommands();
    private final RedissonClient client;

    /** Counts what goes through any of the client's channels; a script is one command. */
    @Sharable
    private static final class SentCommands extends ChannelOutboundHandlerAdapter implements NettyHook {

        private final AtomicLong count = new AtomicLong();

        @Override
        public void afterBoostrapInitialization(Bootstrap bootstrap) {
            // channels are of interest, and they come later
        }

        @Override
        public void afterChannelInitialization(Channel channel) {
            channel.pipeline().addLast(this);
        }

        @Override
        public void write(ChannelHandlerContext context, Object command, ChannelPromise promise) throws Exception {
            count.incrementAndGet();
            super.write(context, command, promise);
        }
    }

    RedissonContender(String address) {
        Config config = new Config();
        config.setNettyHook(commands);
        config.useSingleServer().setAddress(address).setConnectionMinimumIdleSize(2);
        client = Redisson.create(config);
    }

    @Override
    public Hold acquire(String lockId) throws InterruptedException {
        return acquired(client.getFairLock(lockId));
    }

    @Override
    public Hold acquireToRead(String lockId) throws InterruptedException {
        return acquired(client.getReadWriteLock("read-write-" + lockId).readLock());
    }

    @Override
    public Hold acquireToWrite(String lockId) throws InterruptedException {
        return acquired(client.getReadWriteLock("read-write-" + lockId).writeLock());
    }

    private static Hold acquired(RLock lock) throws InterruptedException {
        lock.lockInterruptibly();
        return lock::unlock;
    }

    @Override
    public long requests() {
        return commands.count.get();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
