package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.aop.MistakenAnnotationException;
import jakarta.annotation.PostConstruct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What somebody reads whose annotation is mistaken, or has no effect. */
@ExtendWith(OutputCaptureExtension.class)
class AnnotationReportsTest {

    static class Accounts {
        @DistributedLock(key = "'account:' + #id")
        public void touch(String id) {}
    }

    static class Unquoted {
        @DistributedLock(key = "nightly")
        public void run() {}
    }

    static class Callback {
        @PostConstruct
        @DistributedLock(key = "'k'")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(CassandraLockAutoConfiguration.class)
    static class WithLocks {
        @Bean
        RemoteLocker locker() {
            return mock(RemoteLocker.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(CassandraLockAutoConfiguration.class)
    static class LocksOfParent {}

    private static ConfigurableApplicationContext start(Class<?>[] components, String... properties) {
        return new SpringApplicationBuilder(components)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .run();
    }

    @Test
    void contextWithoutLocksWarnsOfAnnotatedBeans(CapturedOutput output) {
        start(new Class<?>[] {Accounts.class}).close();
        assertThat(output)
                .containsOnlyOnce("has no effect. Its methods run without their locks")
                .contains("bean 'annotationReportsTest.Accounts'", Accounts.class.getName(), "@InMemoryLocks");
    }

    @Test
    void contextWithLocksOrWithoutAnnotationsWarnsOfNothing(CapturedOutput output) {
        start(new Class<?>[] {WithLocks.class, Accounts.class}).close();
        start(new Class<?>[] {AnnotationReportsTest.class}).close();
        start(new Class<?>[] {Accounts.class}, "cassandra-lock.enabled=false").close();
        assertThat(output).doesNotContain("has no effect");
    }

    @Test
    void childContextWithoutLocksWarnsOfAnnotatedBeansOnce(CapturedOutput output) {
        new SpringApplicationBuilder(AnnotationReportsTest.class)
                .web(WebApplicationType.NONE)
                .child(Accounts.class)
                .web(WebApplicationType.NONE)
                .run()
                .close();
        assertThat(output).containsOnlyOnce("has no effect");
    }

    /** The context of a servlet has no initializers of Spring Boot. */
    @Test
    void plainChildContextWithoutLocksWarnsOfAnnotatedBeansOnce(CapturedOutput output) {
        try (ConfigurableApplicationContext parent = start(new Class<?>[] {AnnotationReportsTest.class});
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(parent);
            child.register(Accounts.class);
            child.refresh();
        }
        assertThat(output).containsOnlyOnce("has no effect");
    }

    @Test
    void childContextWithTheLocksOfItsParentWarnsOfNothing(CapturedOutput output) {
        new SpringApplicationBuilder(WithLocks.class)
                .web(WebApplicationType.NONE)
                .child(LocksOfParent.class, Accounts.class)
                .web(WebApplicationType.NONE)
                .run()
                .close();
        assertThat(output).doesNotContain("has no effect");
    }

    @Test
    void mistakeIsExplainedWithoutAStack(CapturedOutput output) {
        for (Class<?> mistaken : new Class<?>[] {Unquoted.class, Callback.class}) {
            assertThatThrownBy(() -> start(new Class<?>[] {WithLocks.class, mistaken}))
                    .rootCause()
                    .isInstanceOf(MistakenAnnotationException.class);
            assertThat(output)
                    .contains(
                            "APPLICATION FAILED TO START", mistaken.getSimpleName() + ".run", "Correct the annotation");
        }
        assertThat(output.getAll()).doesNotContain("\tat ");
    }
}
