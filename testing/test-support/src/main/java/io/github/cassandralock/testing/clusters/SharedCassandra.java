package io.github.cassandralock.testing.clusters;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one {@link CassandraCluster} of this test run, which a build shares between its modules. */
public final class SharedCassandra implements ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(SharedCassandra.class);

    /** JUnit closes the entries of its root store; from version 6 on the interface that says so is superfluous. */
    @SuppressWarnings("deprecation")
    private record Kept(CassandraCluster cluster) implements ExtensionContext.Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            cluster.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == CassandraCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
        Kept kept = store.get(Kept.class, Kept.class);
        if (kept == null) {
            kept = new Kept(CassandraCluster.obtain());
            store.put(Kept.class, kept);
        }
        return kept.cluster();
    }
}
