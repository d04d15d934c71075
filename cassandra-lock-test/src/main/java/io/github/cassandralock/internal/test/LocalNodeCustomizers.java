package io.github.cassandralock.internal.test;

import io.github.cassandralock.test.WithLocalCassandra;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Which test classes get a local node. */
public final class LocalNodeCustomizers implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        WithLocalCassandra node = TestContextAnnotationUtils.findMergedAnnotation(testClass, WithLocalCassandra.class);
        return node == null ? null : new LocalNodeCustomizer(node.keyspace());
    }
}
