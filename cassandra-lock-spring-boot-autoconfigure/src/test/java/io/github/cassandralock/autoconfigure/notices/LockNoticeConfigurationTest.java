package io.github.cassandralock.autoconfigure.notices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.time.Timers;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Where a process listens for notices and what it publishes, on the loopback address. */
@ExtendWith(OutputCaptureExtension.class)
class LockNoticeConfigurationTest {

    private static final String WARNING = "cassandra-lock.notices.advertised-address";

    private static final Timers NEVER = delay -> new CompletableFuture<>();

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withUserConfiguration(OnlyProperties.class);

    @EnableConfigurationProperties(CassandraLockProperties.class)
    static class OnlyProperties {}

    /** A session to nodes at these addresses. */
    private static CqlSession sessionTo(String... addresses) {
        Map<UUID, Node> nodes = new HashMap<>();
        for (String address : addresses) {
            Node node = mock(Node.class);
            EndPoint endPoint = mock(EndPoint.class);
            when(node.getEndPoint()).thenReturn(endPoint);
            when(endPoint.resolve()).thenReturn(new InetSocketAddress(address, 9042));
            nodes.put(UUID.randomUUID(), node);
        }
        CqlSession session = mock(CqlSession.class);
        Metadata metadata = mock(Metadata.class);
        when(session.getMetadata()).thenReturn(metadata);
        when(metadata.getNodes()).thenReturn(nodes);
        return session;
    }

    /** The address that a process publishes with these settings. */
    private String published(CqlSession session, String... settings) {
        StringBuilder published = new StringBuilder();
        application.withPropertyValues(settings).run(context -> {
            CassandraLockProperties properties = context.getBean(CassandraLockProperties.class);
            try (NettyNoticeTransport transport = new LockNoticeConfiguration()
                    .cassandraLockNoticeTransport(
                            properties,
                            CassandraPorts.of(session),
                            context.getBeanProvider(SslBundles.class),
                            NEVER,
                            new ProtocolCounters(),
                            context.getEnvironment())) {
                published.append(transport.address());
            }
        });
        return published.toString();
    }

    @Test
    void addressTowardsCassandraIsPublishedIfNoneIsSet() {
        assertThat(published(sessionTo("127.0.0.1"))).matches("127\\.0\\.0\\.1:[0-9]+");
        assertThat(published(sessionTo("127.0.0.1"), "cassandra-lock.notices.bind-address=0.0.0.0"))
                .matches("127\\.0\\.0\\.1:[0-9]+");
    }

    @Test
    void addressesThatAreBlankAreNotSet() {
        assertThat(published(
                        sessionTo("127.0.0.1"),
                        "cassandra-lock.notices.bind-address=",
                        "cassandra-lock.notices.advertised-address=  "))
                .matches("127\\.0\\.0\\.1:[0-9]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bind-address=127.0.0.1", "advertised-address=localhost", "advertised-address=[::1]:7199"})
    void loopbackAddressIsWarnedOfIfCassandraIsOnAnotherMachine(String setting, CapturedOutput output) {
        published(
                sessionTo("127.0.0.1", "192.0.2.1"),
                "cassandra-lock.notices.bind-address=127.0.0.1",
                "cassandra-lock.notices." + setting);
        assertThat(output).containsOnlyOnce("WARN").containsOnlyOnce(WARNING);
    }

    @Test
    void addressThatOtherMachinesMayReachIsNotWarnedOf(CapturedOutput output) {
        published(sessionTo("127.0.0.1"), "cassandra-lock.notices.bind-address=127.0.0.1");
        published(
                sessionTo("192.0.2.1"),
                "cassandra-lock.notices.bind-address=127.0.0.1",
                "cassandra-lock.notices.advertised-address=10.0.0.7:7199");
        assertThat(output).doesNotContain(WARNING);
    }
}
