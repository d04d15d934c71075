package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.github.cassandralock.DistributedLock;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.javapoet.ClassName;

/** Catches a key that works on a JVM, and not in a native image. */
class AnnotationHintsTest {

    record OrderId(String value) {}

    static class Orders {
        @DistributedLock(key = "'order:' + #id")
        public void ship(OrderId id, String to) {}
    }

    static class Unlocked {
        public void ship(OrderId id) {}
    }

    private static RegisteredBean bean(Class<?> type) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition("bean", new RootBeanDefinition(type));
        return RegisteredBean.of(beans, "bean");
    }

    @Test
    void componentsOfParametersCanBeRead() throws NoSuchMethodException {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("test", "Application")), new InMemoryGeneratedFiles());
        Objects.requireNonNull(new AnnotationHints().processAheadOfTime(bean(Orders.class)))
                .applyTo(generation, mock(BeanRegistrationCode.class));
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(OrderId.class.getDeclaredMethod("value"))
                        .invoke())
                .accepts(generation.getRuntimeHints());
        assertThat(new AnnotationHints().processAheadOfTime(bean(Unlocked.class)))
                .isNull();
    }
}
