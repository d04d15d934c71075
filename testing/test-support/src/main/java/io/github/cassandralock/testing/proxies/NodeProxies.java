package io.github.cassandralock.testing.proxies;

import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A proxy for each node of a cluster, for one process or several. Thread-safe. */
public final class NodeProxies implements AutoCloseable {

    private final List<CuttableProxy> proxies;

    /** @param threads stay open when the proxies are closed */
    public NodeProxies(EventLoopGroup threads, List<InetSocketAddress> nodes) {
        proxies = nodes.stream().map(node -> new CuttableProxy(threads, node)).toList();
    }

    /** Host and port of each proxy, separated by commas. */
    public String contactPoints() {
        return proxies.stream().map(proxy -> text(proxy.address())).collect(Collectors.joining(","));
    }

    /** For {@link ProxyTranslator.Proxies}. */
    public String byNode() {
        return proxies.stream()
                .map(proxy -> text(proxy.target()) + "=" + text(proxy.address()))
                .collect(Collectors.joining(","));
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** @param node from 1 */
    public CuttableProxy of(int node) {
        return proxies.get(node - 1);
    }

    /** @param nodes from 1 */
    public void cut(List<Integer> nodes) {
        nodes.forEach(node -> proxies.get(node - 1).cut());
    }

    /** @param nodes from 1 */
    public void heal(List<Integer> nodes) {
        nodes.forEach(node -> proxies.get(node - 1).heal());
    }

    /** Everything takes so much longer, in both directions. */
    public void delay(Duration time) {
        proxies.forEach(proxy -> proxy.delay(time));
    }

    @Override
    public void close() {
        proxies.forEach(CuttableProxy::close);
    }
}
