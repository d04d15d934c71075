package io.github.cassandralock.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.aop.AnnotationHints;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Catches an annotation that has no effect in a native image. */
class LockAspectConfigurationTest {

    @Test
    void configurationNamesItsHints() {
        assertThat(LockAspectConfiguration.class
                        .getAnnotation(ImportRuntimeHints.class)
                        .value())
                .containsExactly(AnnotationHints.class);
    }
}
