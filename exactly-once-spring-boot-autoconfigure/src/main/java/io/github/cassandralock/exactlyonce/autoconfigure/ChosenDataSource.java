package io.github.cassandralock.exactlyonce.autoconfigure;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/** The data source of registers and sinks: the one that a property names, or the application's only or primary one. */
final class ChosenDataSource {

    private static final String PROPERTY = "jdbc.data-source-bean";

    private final @Nullable String name;
    private final ChosenBean<DataSource> bean;

    ChosenDataSource(ExactlyOnceProperties properties, ListableBeanFactory beans) {
        this.name = properties.jdbc().dataSourceBean();
        this.bean = new ChosenBean<>(DataSource.class, PROPERTY, "registers and sinks", beans);
    }

    /**
     * Checks the name in the property, if it is set.
     *
     * @throws InvalidExactlyOncePropertyException if it is not the name of a data source
     */
    void requireNamed() {
        if (name != null) {
            bean.named(name);
        }
    }

    /**
     * Returns the bean. Does no I/O.
     *
     * @throws InvalidExactlyOncePropertyException if there is none, or if there are several and none is chosen
     */
    DataSource get() {
        return bean.get(
                name,
                e -> new InvalidExactlyOncePropertyException(
                        PROPERTY,
                        "",
                        "the application has no DataSource bean",
                        "Configure one, for example by 'spring.datasource.url'. Registers can be in another store, which"
                                + " 'exactly-once.store' names: cassandra, jdbc or redis.",
                        e));
    }

    /** The bean; empty where {@link #get} would throw. */
    Optional<DataSource> find() {
        try {
            return Optional.of(get());
        } catch (InvalidExactlyOncePropertyException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the data source beneath each proxy that takes part in the application's transactions. Through such a proxy, a
     * rollback by the application would undo a register. A register could also commit the application's transaction.
     *
     * @param source may be a TransactionAwareDataSourceProxy, or wrap one
     */
    static DataSource beneathTransactions(DataSource source) {
        return ClassUtils.isPresent("org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy", null)
                ? Proxies.beneath(source)
                : source;
    }

    /** Separate, because its types may be missing on the class path. */
    private static final class Proxies {

        private Proxies() {}

        static DataSource beneath(DataSource source) {
            DataSource present = source;
            while (true) {
                TransactionAwareDataSourceProxy proxy = proxyIn(present);
                if (proxy == null) {
                    return present;
                }
                present = Objects.requireNonNull(proxy.getTargetDataSource(), "a data source proxy without a target");
            }
        }

        private static @Nullable TransactionAwareDataSourceProxy proxyIn(DataSource source) {
            try {
                return source.isWrapperFor(TransactionAwareDataSourceProxy.class)
                        ? source.unwrap(TransactionAwareDataSourceProxy.class)
                        : null;
            } catch (SQLException e) {
                return null; // it does not show what it wraps
            }
        }
    }
}
