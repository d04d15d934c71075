package io.github.cassandralock.internal.connection;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import io.github.cassandralock.internal.startup.ContactPoint;
import io.github.cassandralock.internal.startup.CqlName;
import io.github.cassandralock.internal.startup.UnreachableCassandraException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains why the application's session to Cassandra could not be opened or cannot reach a node. Spring Boot has no analyzer for
 * that, and the driver's stack trace is longer than a hundred lines. The explanation is valid for every bean that needs the
 * session, not only for beans of this library.
 */
public final class CassandraSessionFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    /** The beginning of the driver's message if contact points are configured without a local data centre. */
    private static final String NO_DATACENTER = "Since you provided explicit contact points, the local DC must be";

    /** The beginning of the driver's message if a name needs quotes and has none. */
    private static final String NO_NAME = "Invalid CQL form ";

    private static final String DEFAULT_PORT = "9042";

    private static final String KEYSPACE = "spring.cassandra.keyspace-name";

    private final Environment environment;
    private final String properties;

    /** For the session that Spring Boot configures. */
    public CassandraSessionFailureAnalyzer(Environment environment) {
        this(environment, "spring.cassandra");
    }

    /** @param properties prefix of the properties with the nodes, the data centre and the user of the session */
    public CassandraSessionFailureAnalyzer(Environment environment, String properties) {
        this.environment = environment;
        this.properties = properties;
    }

    private String property(String name) {
        return properties + "." + name;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable cause) {
        return causes(rootFailure)
                .flatMap(failure -> analysis(failure).stream())
                .findFirst()
                .orElse(null);
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
        if (isNoName(failure)) {
            return Optional.of(noName(failure));
        }
        return failure instanceof IllegalStateException
                        && String.valueOf(failure.getMessage()).startsWith(NO_DATACENTER)
                ? Optional.of(noDatacenter(failure))
                : Optional.empty();
    }

    private FailureAnalysis missingKeyspace(InvalidKeyspaceException failure) {
        String configured = environment.getProperty(KEYSPACE, "my_keyspace");
        String keyspace = CqlIdentifier.fromCql(configured).asCql(true);
        return new FailureAnalysis(
                "The keyspace of this application's Cassandra session does not exist (" + failure.getMessage() + ").",
                otherSpelling(configured, keyspace) + "Create it: CREATE KEYSPACE " + keyspace
                        + " WITH replication = {'class': 'NetworkTopologyStrategy', '"
                        + environment.getProperty("spring.cassandra.local-datacenter", "datacenter1")
                        + "': 3}; (1 instead of 3 in a cluster of one node). Or name an existing one with '"
                        + KEYSPACE
                        + "' in application.yml.",
                failure);
    }

    private static String otherSpelling(String configured, String keyspace) {
        return configured.equals(keyspace)
                ? ""
                : "Without double quotes, '" + configured + "' means the keyspace " + keyspace + ". If "
                        + CqlName.quoted(configured) + " is meant, write '" + KEYSPACE + ": "
                        + CqlName.quoted(configured) + "' in application.yml. ";
    }

    /** Reads the property as Spring Boot does for the builder of the session. */
    private boolean isNoName(Throwable failure) {
        String configured = environment.getProperty(KEYSPACE);
        return configured != null
                && failure instanceof IllegalArgumentException
                && String.valueOf(failure.getMessage()).startsWith(NO_NAME + "[" + configured + "]");
    }

    private FailureAnalysis noName(Throwable failure) {
        String configured = environment.getRequiredProperty(KEYSPACE);
        return new FailureAnalysis(
                "The property '" + KEYSPACE + "' is '" + configured + "', but it is no name in CQL: " + CqlName.RULE
                        + ".",
                "Set it in application.yml, for example '" + KEYSPACE + ": " + CqlName.quoted(configured) + "'.",
                failure);
    }

    private FailureAnalysis noNode(NoNodeAvailableException failure) {
        return new FailureAnalysis(
                "This application cannot reach a Cassandra node. The driver has the list of nodes, but is connected to no node"
                        + " in the local data centre '"
                        + environment.getProperty(property("local-datacenter"), "") + "'.",
                "Check that nodes of that data centre are up ('nodetool status' lists data centres and nodes). Set"
                        + " '" + property("local-datacenter")
                        + "' in application.yml to the data centre in which the application runs.",
                failure);
    }

    private Optional<FailureAnalysis> refusedUser(AllNodesFailedException failure) {
        return failure.getAllErrors().values().stream()
                .flatMap(List::stream)
                .flatMap(CassandraSessionFailureAnalyzer::causes)
                .filter(AuthenticationException.class::isInstance)
                .findFirst()
                .map(refusal -> new FailureAnalysis(
                        "Cassandra rejects the login of this application's user: " + refusal.getMessage() + ".",
                        "Check '" + property("username") + "' and '" + property("password")
                                + "' in application.yml, and that the role exists WITH LOGIN = true.",
                        failure));
    }

    /** A node that refused a request was reached, so the failure does not concern the connection. */
    private static boolean answered(AllNodesFailedException failure) {
        return failure.getAllErrors().values().stream()
                .flatMap(List::stream)
                .anyMatch(CoordinatorException.class::isInstance);
    }

    private FailureAnalysis unreachable(AllNodesFailedException failure) {
        String what = failure instanceof UnreachableCassandraException
                ? failure.getMessage()
                : "Cassandra cannot be reached: " + UnreachableNodes.text(failure, configured());
        return new FailureAnalysis(
                what + ".",
                "Start Cassandra. Or check hosts and port in '" + property("contact-points")
                        + "' in application.yml, and whether a firewall or TLS ('spring.cassandra.ssl') prevents the connection.",
                failure);
    }

    /** Returns the contact points as the driver receives them: Spring Boot adds the port. */
    private List<ContactPoint> configured() {
        String port = environment.getProperty("spring.cassandra.port", DEFAULT_PORT);
        return Binder.get(environment)
                .bind(property("contact-points"), Bindable.listOf(String.class))
                .orElse(List.of())
                .stream()
                .map(text -> ContactPoint.of(text).or(() -> ContactPoint.of(text + ":" + port)))
                .flatMap(Optional::stream)
                .toList();
    }

    private FailureAnalysis noDatacenter(Throwable failure) {
        return new FailureAnalysis(
                "Contact points of Cassandra are configured, but not the data centre in which this application runs.",
                "Set '" + property("local-datacenter")
                        + "' in application.yml; 'nodetool status' lists the data centres, and"
                        + " the default of a new cluster is 'datacenter1'.",
                failure);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }
}
