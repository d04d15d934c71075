package io.github.cassandralock.autoconfigure.startup;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.internal.properties.OnSwitch;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;

/**
 * Explains how to choose among several sessions or templates. Runs before Spring Boot's general analyzer of ambiguous beans. Does
 * nothing if locks are disabled or their session is chosen, because another bean's injection is ambiguous then.
 */
@Order(0)
public final class SeveralSessionsFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {

    private final Environment environment;

    public SeveralSessionsFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
        Class<?> type = cause.getBeanType();
        Collection<String> names =
                Optional.ofNullable(cause.getBeanNamesFound()).orElseThrow();
        return isOfCassandra(type)
                        && OnSwitch.isOn(environment, "cassandra-lock.enabled", true)
                        && !environment.containsProperty("cassandra-lock.session-bean")
                        && !environment.containsProperty("cassandra-lock.template-bean")
                ? analysis(cause, type, names)
                : null;
    }

    private static boolean isOfCassandra(@Nullable Class<?> type) {
        return type == CqlSession.class || type == CassandraOperations.class;
    }

    private static FailureAnalysis analysis(
            NoUniqueBeanDefinitionException cause, @Nullable Class<?> type, Collection<String> names) {
        String all = "'" + String.join("', '", names) + "'";
        return new FailureAnalysis(
                "The application has " + names.size() + " beans of type "
                        + (type == null ? "" : type.getSimpleName()) + " (" + all
                        + "), and none of them is primary. It is unknown which session locks use.",
                "Choose it in application.yml: 'cassandra-lock."
                        + (type == CqlSession.class ? "session-bean: " : "template-bean: ")
                        + names.iterator().next()
                        + "'. That bean is then left out where beans are injected by type, so that Spring Data uses the"
                        + " remaining bean. With more than two beans, annotate the application's main bean with @Primary as"
                        + " well.",
                cause);
    }
}
