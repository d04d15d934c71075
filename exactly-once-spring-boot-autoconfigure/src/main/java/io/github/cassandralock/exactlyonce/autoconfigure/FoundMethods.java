package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.jdbc.LocalTransactions;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.Runner;
import io.github.cassandralock.internal.exactlyonce.Runners;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Prepares to run methods with {@code @ExactlyOnce}. The other beans are made only if there are such methods.
 *
 * @param methods that were found
 */
record FoundMethods(
        Collection<AnnotatedMethod> methods,
        ObjectProvider<ExactlyOnceProperties> properties,
        ObjectProvider<SinkTransactions> transactions,
        ObjectProvider<MessageTables> tables,
        ListableBeanFactory beans) {

    /**
     * Returns what runs the methods. Does no I/O.
     *
     * @throws ExplainedException if there is no database for them
     */
    CopyLifecycle get() {
        if (methods.isEmpty()) {
            return lifecycle(List.of(), Duration.ZERO);
        }
        ExactlyOnceProperties present = properties.getObject();
        MessageTables messages = requireTables();
        LocalTransactions begun = transactions.getObject().of(messages.source());
        CopyEnvironment environment = Runners.environment(present.stepLimit());
        Stream<AnnotatedMethod> running = present.copies().enabled() ? methods.stream() : Stream.empty();
        List<Runner> runners = running.map(method -> Runners.ofMethod(
                        method.queue(),
                        method.maxMessages(),
                        () -> messages.open(method.queue(), method).inTransactionsOf(begun),
                        present.idle(),
                        present.afterFailure(),
                        environment))
                .toList();
        return lifecycle(runners, present.shutdownTimeout());
    }

    private static CopyLifecycle lifecycle(List<Runner> runners, Duration shutdownTimeout) {
        return new CopyLifecycle(runners, shutdownTimeout);
    }

    private MessageTables requireTables() {
        MessageTables present = tables.getIfAvailable();
        if (present == null) {
            throw refused(
                    "spring-jdbc is not on the class path",
                    "Add the dependency spring-boot-starter-jdbc, or spring-boot-starter-data-jpa, and the driver of the"
                            + " database.");
        }
        if (beans.getBeanNamesForType(DataSource.class).length == 0) {
            throw refused(
                    "the application has no DataSource bean",
                    "Configure the database that has the effects, for example by 'spring.datasource.url'.");
        }
        return present;
    }

    private ExplainedException refused(String why, String action) {
        AnnotatedMethod first = methods.iterator().next();
        return new ExplainedException(
                "The method '" + first.method().getName() + "' with @ExactlyOnce(queue = \"" + first.queue()
                        + "\") needs transactions of a database, but " + why + ".",
                action);
    }
}
