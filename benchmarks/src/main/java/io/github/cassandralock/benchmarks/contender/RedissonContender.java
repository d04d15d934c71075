package io.github.cassandralock.benchmarks.contender;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.client.NettyHook;
import org.redisson.client.RedisTimeoutException;
import org.redisson.config.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redisson's fair lock and its read-write lock with their defaults, and its semaphore with leases. */
final class RedissonContender implements Contender {

    private static final Logger log = LoggerFactory.getLogger(RedissonContender.class);

    private static final int LEASE_SECONDS = 30;

    private final SentCommands commands = new SentCommands();
    private final Map<String, RPermitExpirableSemaphore> semaphores = new ConcurrentHashMap<>();
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

    RedissonContender(String address, boolean counted) {
        Config config = new Config();
        if (counted) {
            config.setNettyHook(commands);
        }
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

    @Override
    public Hold acquirePermit(String lockId, int permits) throws InterruptedException {
        RPermitExpirableSemaphore semaphore = semaphores.computeIfAbsent(lockId, id -> semaphore(id, permits));
        String permit = permit(semaphore);
        return () -> semaphore.release(permit);
    }

    /** A subscription of Redisson may time out while others contend. An application would repeat the call. */
    private static String permit(RPermitExpirableSemaphore semaphore) throws InterruptedException {
        while (true) {
            try {
                return semaphore.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
            } catch (RedisTimeoutException e) {
                log.info("A subscription timed out, so the call is repeated", e);
            }
        }
    }

    private RPermitExpirableSemaphore semaphore(String lockId, int permits) {
        RPermitExpirableSemaphore semaphore = client.getPermitExpirableSemaphore("semaphore-" + lockId);
        semaphore.trySetPermits(permits);
        return semaphore;
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
