package io.github.cassandralock.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.cassandra.NoticeOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Settings that are refused before Cassandra is asked, and sessions that cannot be used. */
class RemoteLockerBuilderTest {

    private final CqlSession session = mock(CqlSession.class);

    private RemoteLockerBuilder builder() {
        return RemoteLockerBuilder.on(session);
    }

    private DynamicTest refused(String setting, ThrowingCallable building) {
        return DynamicTest.dynamicTest(setting, () -> {
            assertThatThrownBy(building)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'cassandra-lock." + setting + "'");
            verifyNoInteractions(session);
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("cassandra-lock-1");
        });
    }

    @TestFactory
    Stream<DynamicTest> settingsOutsideTheirBoundsAreRefused() {
        return Stream.of(
                refused("lease", () -> builder().lease(Duration.ofSeconds(1)).build()),
                refused("clock-drift", () -> builder().clockDrift(0.3).build()),
                refused("prefix", () -> builder().prefix("shop ").build()),
                refused("prefix", () -> builder().prefix("").build()),
                refused("prefix", () -> builder().prefix("a\tb").build()),
                refused(
                        "local-handover.max-duration",
                        () -> builder().localHandover(Duration.ofSeconds(5)).build()),
                refused(
                        "notices.port",
                        () -> builder().notices(NoticeOptions.atPort(-1)).build()),
                refused(
                        "notices.enabled",
                        () -> builder()
                                .notices(NoticeOptions.atPort(0))
                                .algorithm(LockingAlgorithm.QUEUE)
                                .build()),
                refused(
                        "force-release.enabled",
                        () -> builder()
                                .forceRelease(true)
                                .algorithm(LockingAlgorithm.SHADOW)
                                .build()),
                refused(
                        "algorithm",
                        () -> builder().algorithm(LockingAlgorithm.MAJORITY).build()),
                refused(
                        "migration.from",
                        () -> builder().algorithm(LockingAlgorithm.MIGRATION).build()),
                refused("migration.to", () -> builder().migration(LockingAlgorithm.QUEUE, LockingAlgorithm.QUEUE)),
                refused(
                        "serial-consistency",
                        () -> builder()
                                .consistency(LockConsistency.QUORUM, LockSerialConsistency.LOCAL_SERIAL)
                                .build()),
                refused("keyspace", () -> builder().keyspace("a-b").build()));
    }

    /** Another process may listen there as soon as the builder has thrown. */
    @Test
    void portOfNoticesIsClosedIfNodesCannotBeListed() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        when(session.getMetadata()).thenThrow(new IllegalStateException("the session was closed"));
        assertThatThrownBy(() -> builder()
                        .notices(NoticeOptions.atPort(port).withBindAddress("127.0.0.1"))
                        .build())
                .hasMessage("the session was closed");
        try (ServerSocket again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(again.isBound()).isTrue();
        }
    }

    @Test
    void sessionThatHasIgnoredItsContactPointsIsRefused() {
        InternalDriverContext context = mock(InternalDriverContext.class, RETURNS_DEEP_STUBS);
        when(session.getContext()).thenReturn(context);
        when(context.getConfig().getDefaultProfile().getStringList(DefaultDriverOption.CONTACT_POINTS, List.of()))
                .thenReturn(List.of("cassandra.test:9042"));
        when(context.getMetadataManager().wasImplicitContactPoint()).thenReturn(true);
        assertThatThrownBy(() -> builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "No contact point of Cassandra can be resolved: cassandra.test:9042 (unknown host)");
    }
}
