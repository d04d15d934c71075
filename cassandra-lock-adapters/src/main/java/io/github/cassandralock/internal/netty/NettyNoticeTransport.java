package io.github.cassandralock.internal.netty;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.notice.UnsentFrame;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Frames over TCP. One thread does all the work; a second thread looks up host names. A process
 * listens on one port, and makes one connection to each address that it sends to. Answers come over the other process's connection.
 *
 * <p>A frame that cannot be sent at once is dropped. The reason is that a few frames already wait for the address to accept, or
 * the address does not read. An address that does not accept a connection or does not answer is left alone for a while.
 */
public class NettyNoticeTransport implements NoticeTransport, AutoCloseable {

    private static final Duration END = Duration.ofSeconds(2);

    /** Bytes that a connection buffers when its peer does not read. */
    private static final WriteBufferWaterMark BUFFERED = new WriteBufferWaterMark(64 * 1024, 256 * 1024);

    /** Above so many addresses, those without a connection are removed. */
    private static final int MOST_PEERS = 4_096;

    private final TransportSettings settings;
    private final Ticker ticker;
    private final ProtocolCounters counters;
    private final NioEventLoopGroup group;
    private final EventLoop loop;
    private final Channel server;
    private final String address;
    private final HandedOver handedOver = new HandedOver();
    private final HostNames names;
    private final TransportWarnings warnings;
    private final InboundConnections inbound;
    private final ConcurrentMap<String, Peer> peers = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile Receiver receiver = (frame, place) -> Reception.UNKNOWN_RECEIVER;

    /**
     * Begins to listen. Blocks until it listens, or cannot.
     *
     * @param threads the beginning of the names of threads
     * @param timers delay warnings, so that there are few; work until this transport is closed
     * @param counters count what is dropped
     * @throws TransportStartException if the address is not one of this machine, or its port is taken
     */
    public NettyNoticeTransport(
            String threads, TransportSettings settings, Ticker ticker, Timers timers, ProtocolCounters counters) {
        this(threads, settings, ticker, timers, counters, InetAddress::getByName);
    }

    NettyNoticeTransport(
            String threads,
            TransportSettings settings,
            Ticker ticker,
            Timers timers,
            ProtocolCounters counters,
            HostNames.LookUp lookUp) {
        this.settings = settings;
        this.names = new HostNames(threads + "names", lookUp, settings.connectTimeout());
        this.ticker = ticker;
        this.counters = counters;
        this.warnings = new TransportWarnings(timers);
        this.inbound = new InboundConnections(warnings);
        this.group = new NioEventLoopGroup(1, factory(threads + "notices"));
        this.loop = group.next();
        this.server = listen();
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        this.address = settings.advertised()
                .map(host -> HostAndPort.withPort(host, port))
                .orElseGet(() -> HostAndPort.text(settings.bind().getAddress().getHostAddress(), port));
    }

    private static ThreadFactory factory(String name) {
        return task -> {
            Thread thread = new FastThreadLocalThread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private Channel listen() {
        var binding = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(settings.bind())
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            closeAsync();
            throw new TransportStartException(
                    "Cannot listen for notices on " + settings.bind() + ": "
                            + binding.cause().getMessage(),
                    !canListenOnAnotherPort(),
                    binding.cause());
        }
        return binding.channel();
    }

    private boolean canListenOnAnotherPort() {
        try (ServerSocket any = new ServerSocket(0, 1, settings.bind().getAddress())) {
            return any.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private void accept(SocketChannel channel) {
        inbound.add(channel);
        settings.tls().ifPresent(tls -> {
            SslHandler handler = tls.get().server().newHandler(channel.alloc());
            handler.setHandshakeTimeoutMillis(settings.connectTimeout().toMillis());
            channel.pipeline().addLast(handler);
        });
        Frames.decode(channel.pipeline());
        channel.pipeline()
                .addLast(new InboundConnection(
                        (frame, place) -> receiver.received(frame, place), inbound, settings, ticker, warnings));
    }

    /** Connections to an address, made by its peer on the thread of this transport. */
    Bootstrap connector() {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .resolver(names)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, BUFFERED);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public void receiveBy(Receiver next) {
        receiver = next;
    }

    @Override
    public boolean mayReach(String to) {
        Peer peer = peers.get(to);
        return peer == null || !peer.isLeftAlone();
    }

    @Override
    public void send(String to, UnsentFrame frame) {
        if (!handedOver.add(frame)) {
            counters.add(Counted.NOTICE_DROPPED);
            return;
        }
        try {
            loop.execute(() -> {
                handedOver.remove(frame);
                peer(to).send(frame);
            });
        } catch (RejectedExecutionException closing) {
            handedOver.remove(frame);
            counters.add(Counted.NOTICE_DROPPED);
        }
    }

    private Peer peer(String to) {
        if (peers.size() > MOST_PEERS) {
            peers.values().removeIf(Peer::isUnconnected);
        }
        return peers.computeIfAbsent(to, key -> new Peer(key, settings, connector(), ticker, warnings, counters));
    }

    int inboundConnections() {
        return inbound.size();
    }

    /** Ends all connections. The stage completes when they have ended, and never exceptionally. Later frames are dropped. */
    CompletionStage<Void> closeAsync() {
        names.close();
        group.shutdownGracefully(0, END.toMillis(), TimeUnit.MILLISECONDS).addListener(done -> closed.complete(null));
        return closed;
    }

    /** Ends all connections. Blocks for seconds at most. */
    @Override
    public void close() {
        closeAsync();
        try {
            group.awaitTermination(2 * END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
