package io.github.cassandralock.exactlyonce.store.cassandra;

import static io.github.cassandralock.exactlyonce.store.FailureMeaning.NOT_APPLIED;
import static io.github.cassandralock.exactlyonce.store.FailureMeaning.REFUSED;
import static io.github.cassandralock.exactlyonce.store.FailureMeaning.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.AbstractMap.SimpleEntry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CassandraFailuresTest {

    private static final DefaultConsistencyLevel QUORUM = DefaultConsistencyLevel.QUORUM;
    private static final Node NODE = stub(Node.class, Map.of("getHostId", new UUID(0, 1)));

    private static <T> T stub(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "stub";
                    default -> answers.get(method.getName());
                }));
    }

    static Stream<Throwable> unknown() {
        return Stream.of(
                new WriteTimeoutException(NODE, QUORUM, 1, 2, DefaultWriteType.CAS),
                new WriteTimeoutException(NODE, QUORUM, 1, 2, DefaultWriteType.SIMPLE),
                new WriteFailureException(NODE, QUORUM, 1, 2, DefaultWriteType.CAS, 1, Map.of()),
                new CASWriteUnknownException(NODE, QUORUM, 1, 2),
                new UnavailableException(NODE, QUORUM, 2, 1), // also between a proposal and its commit
                new ReadTimeoutException(NODE, QUORUM, 1, 2, false),
                new OverloadedException(NODE),
                new ServerError(NODE, "internal"),
                new DriverTimeoutException("2 s"),
                new ClosedConnectionException("lost"),
                new HeartbeatException(new InetSocketAddress(1), "no answer", null),
                new IOException("reset"),
                new IllegalStateException("anything else"));
    }

    static Stream<Throwable> notApplied() {
        return Stream.of(
                new BootstrappingException(NODE),
                new NodeUnavailableException(NODE),
                new BusyConnectionException(1024),
                new RequestThrottlingException("too many"),
                new NoNodeAvailableException(),
                new UnauthorizedException(NODE, "Unable to perform authorization of permissions: timed out"),
                new InvalidQueryException(NODE, "disk usage exceeds failure threshold"));
    }

    static Stream<Throwable> refused() {
        return Stream.of(
                new UnauthorizedException(NODE, "User guest has no MODIFY permission"),
                new InvalidQueryException(NODE, "table does not exist"),
                new SyntaxError(NODE, "line 1"));
    }

    @ParameterizedTest
    @MethodSource
    void unknown(Throwable failure) {
        assertThat(CassandraFailures.of(failure)).isEqualTo(UNKNOWN);
        assertThat(CassandraFailures.of(all(failure))).isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @MethodSource
    void notApplied(Throwable failure) {
        assertThat(CassandraFailures.of(failure)).isEqualTo(NOT_APPLIED);
    }

    @ParameterizedTest
    @MethodSource
    void refused(Throwable failure) {
        assertThat(CassandraFailures.of(failure)).isEqualTo(REFUSED);
        assertThat(CassandraFailures.of(all(failure))).isEqualTo(REFUSED);
    }

    private static AllNodesFailedException all(Throwable... tries) {
        return AllNodesFailedException.fromErrors(Stream.of(tries)
                .<Map.Entry<Node, Throwable>>map(each -> new SimpleEntry<>(NODE, each))
                .toList());
    }

    @Test
    void severalTriesAreCertainOnlyIfEachIs() {
        BootstrappingException notBegun = new BootstrappingException(NODE);
        NodeUnavailableException notSent = new NodeUnavailableException(NODE);
        InvalidQueryException refusal = new InvalidQueryException(NODE, "table does not exist");
        ClosedConnectionException lost = new ClosedConnectionException("lost");

        assertThat(CassandraFailures.of(all(notBegun, notSent))).isEqualTo(NOT_APPLIED);
        assertThat(CassandraFailures.of(all(refusal, notSent))).isEqualTo(NOT_APPLIED);
        assertThat(CassandraFailures.of(all(notSent, lost))).isEqualTo(UNKNOWN);
        assertThat(CassandraFailures.of(all(refusal, lost))).isEqualTo(UNKNOWN);
    }

    @Test
    void earlierTryOfUnknownOutcomeMakesTheLastOneUnknown() {
        DriverException notBegun = new BootstrappingException(NODE);
        notBegun.setExecutionInfo(after(new ClosedConnectionException("lost")));
        assertThat(CassandraFailures.of(notBegun)).isEqualTo(UNKNOWN);

        notBegun.setExecutionInfo(after(new BootstrappingException(NODE)));
        assertThat(CassandraFailures.of(notBegun)).isEqualTo(NOT_APPLIED);

        DriverException refusal = new InvalidQueryException(NODE, "table does not exist");
        refusal.setExecutionInfo(after(new DriverTimeoutException("2 s")));
        assertThat(CassandraFailures.of(refusal)).isEqualTo(UNKNOWN);
    }

    private static ExecutionInfo after(Throwable earlier) {
        return stub(
                ExecutionInfo.class,
                Map.of("getErrors", List.of(new SimpleEntry<>(NODE, earlier)), "getSpeculativeExecutionCount", 0));
    }
}
