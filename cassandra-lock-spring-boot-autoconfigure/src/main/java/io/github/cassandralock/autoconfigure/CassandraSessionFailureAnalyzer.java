package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains why the application's session to Cassandra could not be opened or reaches no node. Spring Boot has no analysis for
 * that, and what the driver throws is more than a hundred lines. What it says holds whoever needed the session first; it is
 * silent where no locks are wanted.
 */
final class CassandraSessionFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    /** How the driver's message begins when contact points are named and their data centre is not. */
    private static final String NO_DATACENTER = "Since you provided explicit contact points, the local DC must be";

    private static final String KEYSPACE = "spring.cassandra.keyspace-name";

    private final Environment environment;

    CassandraSessionFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable cause) {
        return environment.getProperty("cassandra-lock.enabled", Boolean.class, true)
                ? causes(rootFailure)
                        .flatMap(failure -> analysis(failure).stream())
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private Optional<FailureAnalysis> analysis(Throwable failure) {
        if (failure instanceof InvalidKeyspaceException missing) {
            return Optional.of(missingKeyspace(missing));
        }
        if (failure instanceof NoNodeAvailableException noNode) {
            return Optional.of(noNode(noNode));
        }
        if (failure instanceof AllNodesFailedException all) {
            return refusedUser(all).or(() -> answered(all) ? Optional.empty() : Optional.of(unreachable(all)));
        }
        return failure instanceof IllegalStateException
                        && String.valueOf(failure.getMessage()).startsWith(NO_DATACENTER)
                ? Optional.of(noDatacenter(failure))
                : Optional.empty();
    }

    private FailureAnalysis missingKeyspace(InvalidKeyspaceException failure) {
        String keyspace = environment.getProperty(KEYSPACE, "my_keyspace");
        return new FailureAnalysis(
                "The keyspace that this application's session to Cassandra is to use does not exist ("
                        + failure.getMessage() + ").",
                "Create it: CREATE KEYSPACE " + keyspace
                        + " WITH replication = {'class': 'NetworkTopologyStrategy', '"
                        + environment.getProperty("spring.cassandra.local-datacenter", "datacenter1")
                        + "': 3}; (1 in place of 3 where the cluster is one node). Or name an existing one with '"
                        + KEYSPACE
                        + "' in application.yml.",
                failure);
    }

    private FailureAnalysis noNode(NoNodeAvailableException failure) {
        return new FailureAnalysis(
                "No node of Cassandra can be asked by this application: the driver knows the cluster, but is connected to no"
                        + " node in the local data centre '"
                        + environment.getProperty("spring.cassandra.local-datacenter", "") + "'.",
                "Check that nodes of that data centre are up ('nodetool status' names data centres and nodes), and set"
                        + " 'spring.cassandra.local-datacenter' in application.yml to the one in which the application runs.",
                failure);
    }

    private static Optional<FailureAnalysis> refusedUser(AllNodesFailedException failure) {
        return failure.getAllErrors().values().stream()
                .flatMap(List::stream)
                .flatMap(CassandraSessionFailureAnalyzer::causes)
                .filter(AuthenticationException.class::isInstance)
                .findFirst()
                .map(refusal -> new FailureAnalysis(
                        "Cassandra does not let this application's user log in: " + refusal.getMessage() + ".",
                        "Check 'spring.cassandra.username' and 'spring.cassandra.password' in application.yml, and that the"
                                + " role exists WITH LOGIN = true.",
                        failure));
    }

    /** A node that refused a request was reached: that is the affair of whoever asked. */
    private static boolean answered(AllNodesFailedException failure) {
        return failure.getAllErrors().values().stream()
                .flatMap(List::stream)
                .anyMatch(CoordinatorException.class::isInstance);
    }

    private static FailureAnalysis unreachable(AllNodesFailedException failure) {
        String nodes = failure.getAllErrors().entrySet().stream()
                .map(CassandraSessionFailureAnalyzer::text)
                .collect(Collectors.joining("; "));
        return new FailureAnalysis(
                "Cassandra cannot be reached: " + nodes + ".",
                "Start Cassandra, or check hosts and port in 'spring.cassandra.contact-points' in application.yml, and"
                        + " whether the network and TLS ('spring.cassandra.ssl') let the application through.",
                failure);
    }

    private static String text(Map.Entry<Node, List<Throwable>> node) {
        return address(node.getKey()) + " ("
                + node.getValue().stream()
                        .map(error ->
                                causes(error).reduce((before, last) -> last).orElse(error))
                        .map(Throwable::toString)
                        .distinct()
                        .collect(Collectors.joining(", "))
                + ")";
    }

    private static String address(Node node) {
        return node.getEndPoint().resolve() instanceof InetSocketAddress address
                ? address.getHostString() + ":" + address.getPort()
                : node.getEndPoint().toString();
    }

    private static FailureAnalysis noDatacenter(Throwable failure) {
        return new FailureAnalysis(
                "Contact points of Cassandra are configured, but not the data centre in which this application runs.",
                "Set 'spring.cassandra.local-datacenter' in application.yml; 'nodetool status' names data centres, and a"
                        + " new cluster's is 'datacenter1'.",
                failure);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes.stream();
    }
}
