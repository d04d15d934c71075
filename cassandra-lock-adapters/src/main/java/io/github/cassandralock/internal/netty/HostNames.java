package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.time.TimerThreads;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks host names up on a thread of its own, which may block. A name server that does not answer
 * delays only connections to names. IP addresses need no look-up. The thread ends when it is idle.
 */
final class HostNames extends AddressResolverGroup<InetSocketAddress> {

    private static final int MOST_WAITING = 64;
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** Queries the operating system. Blocks. */
    @FunctionalInterface
    interface LookUp {
        InetAddress address(String host) throws UnknownHostException;
    }

    private final LookUp lookUp;
    private final Duration longest;
    private final ThreadPoolExecutor thread;

    /**
     * @param name of the thread
     * @param longest a look-up that takes longer has failed
     */
    HostNames(String name, LookUp lookUp, Duration longest) {
        this.lookUp = lookUp;
        this.longest = longest;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE.toNanos(),
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                TimerThreads.daemons(() -> name));
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
        return new InetNameResolver(loop) {

            @Override
            protected void doResolve(String host, Promise<InetAddress> address) {
                find(host, address, loop);
            }

            @Override
            protected void doResolveAll(String host, Promise<List<InetAddress>> addresses) {
                addresses.setFailure(new UnsupportedOperationException("One address is enough to connect"));
            }
        }.asAddressResolver();
    }

    private void find(String host, Promise<InetAddress> address, EventExecutor loop) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
        if (literal != null) {
            address.setSuccess(literal);
            return;
        }
        try {
            thread.execute(() -> lookUp(host, address));
            var tooLate = loop.schedule(
                    () -> address.tryFailure(new UnknownHostException(host + ": the look-up takes too long")),
                    longest.toNanos(),
                    TimeUnit.NANOSECONDS);
            address.addListener(done -> tooLate.cancel(false));
        } catch (RejectedExecutionException e) {
            address.tryFailure(new UnknownHostException(host + ": too many names wait for their look-up"));
        }
    }

    private void lookUp(String host, Promise<InetAddress> address) {
        if (address.isDone()) {
            return;
        }
        try {
            address.trySuccess(lookUp.address(host));
        } catch (UnknownHostException e) {
            address.tryFailure(e);
        }
    }

    /** Ends the thread after the present look-up. */
    @Override
    public void close() {
        super.close();
        thread.shutdownNow();
    }
}
