package io.github.cassandralock.internal.connection;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import io.github.cassandralock.internal.startup.ContactPoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why a session could not be opened: for each configured contact point, the operating system's reason, otherwise the driver's. The
 * driver often reports only a closed connection, and for unknown names it tries its default.
 */
final class UnreachableNodes {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final InetSocketAddress DRIVERS_DEFAULT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);

    private UnreachableNodes() {}

    /**
     * Connects to each contact point. Blocks for some seconds.
     *
     * @param configured may be empty
     * @return for example {@code node1:9042 (Connection refused); node2:9042 (unknown host)}
     */
    static String text(AllNodesFailedException failure, List<ContactPoint> configured) {
        Map<InetSocketAddress, String> driver = new LinkedHashMap<>();
        Map<String, String> problems = new LinkedHashMap<>();
        failure.getAllErrors().forEach((node, errors) -> {
            if (node.getEndPoint().resolve() instanceof InetSocketAddress address) {
                driver.put(address, text(errors));
            } else {
                problems.put(node.getEndPoint().toString(), text(errors));
            }
        });
        Set<InetSocketAddress> known = new LinkedHashSet<>();
        for (ContactPoint point : configured) {
            List<InetSocketAddress> addresses = point.addresses();
            known.addAll(addresses);
            problems.put(point.text(), problem(point, addresses, driver));
        }
        if (!configured.isEmpty() && known.isEmpty()) {
            known.add(DRIVERS_DEFAULT);
        }
        driver.forEach((address, said) -> {
            if (!known.contains(address)) {
                ContactPoint point = ContactPoint.of(address);
                problems.put(point.text(), problem(point, List.of(address), driver));
            }
        });
        return problems.entrySet().stream()
                .map(problem -> problem.getKey() + " (" + problem.getValue() + ")")
                .collect(Collectors.joining("; "));
    }

    private static String problem(
            ContactPoint point, List<InetSocketAddress> addresses, Map<InetSocketAddress, String> driver) {
        return point.problem(false, PATIENCE).orElseGet(() -> {
            String said = addresses.stream()
                    .map(driver::get)
                    .filter(Objects::nonNull)
                    .distinct()
                    .collect(Collectors.joining(", "));
            return said.isEmpty() ? "not tried" : said;
        });
    }

    private static String text(List<Throwable> errors) {
        return errors.stream()
                .map(error -> Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                        .reduce((before, last) -> last)
                        .orElse(error))
                .map(UnreachableNodes::text)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** The driver begins messages with the ids and ports of one connection. Without them, each try gives an equal text. */
    private static String text(Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return "the connection was closed before the node had answered";
        }
        return cause instanceof DriverException
                ? String.valueOf(cause.getMessage()).replaceFirst("^\\[[^\\]]*\\] ", "")
                : cause.toString();
    }
}
