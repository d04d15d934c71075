package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.jdbc.LocalTransactions;
import io.github.cassandralock.internal.transactions.ManagedTransactions;
import io.github.cassandralock.internal.transactions.TransactionObserver;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ReflectionUtils;

/**
 * Chooses the transaction manager of a sink's data source. A manager of one data source begins transactions in which JPA, jOOQ and
 * templates take part.
 */
record ManagedSinkTransactions(ExactlyOnceProperties properties, ListableBeanFactory beans)
        implements SinkTransactions {

    private static final String PROPERTY = "jdbc.transaction-manager-bean";

    /** By name: loading it needs the API of JTA. */
    private static final String JTA = "org.springframework.transaction.jta.JtaTransactionManager";

    /** The resource of a manager's transactions. */
    private enum Resource {
        /** The data source of the sink. */
        THIS,
        /** Another data source. */
        OTHER,
        /** Several resources, by JTA. */
        JTA,
        /** No database. */
        NONE,
        /** Unknown until a transaction shows it. */
        UNKNOWN
    }

    private record Manager(String name, PlatformTransactionManager bean, Resource resource, DataSource source) {

        LocalTransactions transactions() {
            return new ManagedTransactions(name, bean, source);
        }
    }

    @Override
    public void requireKnown() {
        String named = properties.jdbc().transactionManagerBean();
        List<String> names = List.of(beans.getBeanNamesForType(PlatformTransactionManager.class));
        if (named != null && !names.contains(named)) {
            throw refused(
                    named,
                    "the application has no PlatformTransactionManager bean of this name; it has "
                            + InvalidExactlyOncePropertyException.list(names),
                    "Correct the name in application.yml.");
        }
    }

    @Override
    public LocalTransactions of(DataSource source) {
        return managerOf(source).transactions();
    }

    @Override
    public DataSource boundBy(DataSource source) {
        return managerOf(source).source();
    }

    private Manager managerOf(DataSource source) {
        requireKnown();
        List<Manager> managers = beans.getBeansOfType(PlatformTransactionManager.class).entrySet().stream()
                .map(bean -> manager(bean.getKey(), bean.getValue(), source))
                .toList();
        return named(managers, source).or(() -> theOnly(managers)).orElseGet(() -> own(source));
    }

    /** Returns the manager that the property names; empty if it rightly belongs to another data source than this sink's. */
    private Optional<Manager> named(List<Manager> managers, DataSource source) {
        return managers.stream()
                .filter(manager -> manager.name().equals(properties.jdbc().transactionManagerBean()))
                .filter(manager -> manager.resource() == Resource.THIS || isConfigured(source))
                .findFirst()
                .map(ManagedSinkTransactions::requireFit);
    }

    /** Whether the properties concern this data source. */
    private boolean isConfigured(DataSource source) {
        return new ChosenDataSource(properties, beans)
                .find()
                .map(chosen -> beneath(chosen) == beneath(source))
                .orElse(false);
    }

    private static Manager requireFit(Manager manager) {
        return switch (manager.resource()) {
            case THIS, UNKNOWN -> manager;
            case OTHER, NONE ->
                throw refused(
                        manager.name(),
                        "this transaction manager is not of the data source of exactly once. A message and its effect"
                                + " would not be committed together",
                        "Name the transaction manager of that data source, or name its data source by"
                                + " 'exactly-once.jdbc.data-source-bean'.");
            case JTA -> throw jta(manager.name());
        };
    }

    /** Empty if no manager of the application belongs to a database. */
    private Optional<Manager> theOnly(List<Manager> managers) {
        List<Manager> fitting = of(Resource.THIS, managers);
        if (!fitting.isEmpty()) {
            return Optional.of(one(fitting));
        }
        of(Resource.JTA, managers).stream().findFirst().ifPresent(manager -> {
            throw jta(manager.name());
        });
        List<Manager> unknown = of(Resource.UNKNOWN, managers);
        if (!unknown.isEmpty()) {
            return Optional.of(one(unknown));
        }
        List<Manager> others = of(Resource.OTHER, managers);
        if (!others.isEmpty()) {
            throw refused(
                    "",
                    "all transaction managers of the application are of other data sources than exactly once: "
                            + names(others),
                    "Declare a JdbcTransactionManager bean, or JPA's JpaTransactionManager, for the data source of"
                            + " exactly once. Or name another data source by 'exactly-once.jdbc.data-source-bean'.");
        }
        return Optional.empty();
    }

    private static Manager own(DataSource source) {
        JdbcTransactionManager own = new JdbcTransactionManager(source);
        own.setTransactionExecutionListeners(List.of(new TransactionObserver()));
        return new Manager("exactly-once", own, Resource.THIS, Objects.requireNonNull(own.getDataSource()));
    }

    private static List<Manager> of(Resource resource, List<Manager> managers) {
        return managers.stream()
                .filter(manager -> manager.resource() == resource)
                .toList();
    }

    /** The only one, or the primary one. */
    private Manager one(List<Manager> managers) {
        if (managers.size() == 1) {
            return managers.get(0);
        }
        PlatformTransactionManager primary =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        return managers.stream()
                .filter(manager -> manager.bean() == primary)
                .findFirst()
                .orElseThrow(() -> refused(
                        "",
                        "the application has several transaction managers of the data source of exactly once, and none of them is"
                                + " primary: " + names(managers),
                        "Name one in application.yml, for example 'exactly-once." + PROPERTY + ": "
                                + managers.get(0).name() + "', or annotate one with @Primary. With JPA, it is the"
                                + " JpaTransactionManager."));
    }

    private static InvalidExactlyOncePropertyException jta(String name) {
        return refused(
                name,
                "this is a transaction manager of JTA, and exactly once needs a manager of a single data source. The"
                        + " outcome of a commit without an answer could not be found out",
                "Declare a JdbcTransactionManager bean for the data source of exactly once, and name it by 'exactly-once."
                        + PROPERTY + "'.");
    }

    private static InvalidExactlyOncePropertyException refused(String name, String why, String action) {
        return new InvalidExactlyOncePropertyException(PROPERTY, name, why, action, null);
    }

    private static String names(List<Manager> managers) {
        return InvalidExactlyOncePropertyException.list(
                managers.stream().map(Manager::name).toList());
    }

    private static Manager manager(String name, PlatformTransactionManager bean, DataSource source) {
        Object manager = target(bean);
        DataSource own = dataSourceOf(manager);
        if (own != null) {
            boolean same = beneath(own) == beneath(source);
            return new Manager(name, bean, same ? Resource.THIS : Resource.OTHER, own);
        }
        return new Manager(name, bean, withoutDataSource(manager), ChosenDataSource.beneathTransactions(source));
    }

    private static Resource withoutDataSource(Object manager) {
        if (isJta(manager.getClass())) {
            return Resource.JTA;
        }
        return manager instanceof ResourceTransactionManager ? Resource.NONE : Resource.UNKNOWN;
    }

    private static boolean isJta(@Nullable Class<?> type) {
        return type != null && (type.getName().equals(JTA) || isJta(type.getSuperclass()));
    }

    private static @Nullable DataSource dataSourceOf(Object manager) {
        if (manager instanceof ResourceTransactionManager ofResource
                && ofResource.getResourceFactory() instanceof DataSource source) {
            return source;
        }
        Method method = ReflectionUtils.findMethod(manager.getClass(), "getDataSource"); // as JPA's has it
        return method != null && ReflectionUtils.invokeMethod(method, manager) instanceof DataSource source
                ? source
                : null;
    }

    /** Two proxies of one data source belong to one database. */
    private static Object beneath(DataSource source) {
        Object target = target(source);
        return target instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null
                ? beneath(delegating.getTargetDataSource())
                : target;
    }

    private static Object target(Object bean) {
        Object target = AopProxyUtils.getSingletonTarget(bean);
        return target == null ? bean : target(target);
    }
}
