package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.internal.actuate.CassandraLocksEndpoint;
import io.github.cassandralock.internal.actuate.ForceReleasingLocksEndpoint;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.startup.ExplainedException;
import io.github.cassandralock.spi.LockAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.core.CassandraTemplate;

/** When there is an endpoint, and when it can force-release locks. Cassandra is a mock. It costs a second or two. */
class LockEndpointConfigurationTest {

    private static final String EXPOSED = "management.endpoints.web.exposure.include=cassandralocks";
    private static final String FORCE_RELEASE = "cassandra-lock.force-release.enabled=true";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
            .withUserConfiguration(WithCassandra.class)
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");

    @Configuration(proxyBeanMethods = false)
    static class WithCassandra {

        @Bean
        CqlSession session() {
            return MockedCassandra.session();
        }

        @Bean
        CassandraTemplate template(CqlSession session) {
            return new CassandraTemplate(session);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnLocker {

        @Bean
        RemoteLocker ownLocker() {
            return mock(RemoteLocker.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnAlgorithm {

        @Bean
        LockAlgorithm ownAlgorithm() {
            LockAlgorithm algorithm = mock(LockAlgorithm.class, RETURNS_DEEP_STUBS);
            when(algorithm.getName()).thenReturn("own");
            return algorithm;
        }
    }

    @Test
    void endpointIsThereWhenItIsExposedAndReleasesNothing() {
        application
                .withPropertyValues(EXPOSED)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CassandraLocksEndpoint.class)
                        .doesNotHaveBean(ForceReleasingLocksEndpoint.class)
                        .doesNotHaveBean(ForceReleaser.class));
    }

    @Test
    void endpointThatIsNotExposedOrNotAccessibleIsNotThere() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CassandraLocksEndpoint.class));
        application
                .withPropertyValues(EXPOSED, "management.endpoint.cassandralocks.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CassandraLocksEndpoint.class));
    }

    @Test
    void withoutActuatorThereIsNoEndpointAndLocksWork() {
        application
                .withPropertyValues(EXPOSED)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(RemoteLocker.class)
                        .doesNotHaveBean("cassandraLocksEndpoint"));
    }

    @Test
    void prefixIsRefusedWithAnAlgorithmOfTheApplicationsOwn() {
        application
                .withUserConfiguration(WithOwnAlgorithm.class)
                .withPropertyValues("cassandra-lock.prefix=shop")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ExplainedException.class)
                        .hasMessageContainingAll("'shop'", "'own'"));
    }

    @Test
    void inspectorRefusesWhatItCannotRead() {
        application
                .withUserConfiguration(WithOwnAlgorithm.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(LockInspector.class).inspect("invoice:42"))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("'own'"));
        application
                .withUserConfiguration(WithOwnLocker.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(LockInspector.class).list("", ""))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("RemoteLocker is a bean of the application"));
    }

    @Test
    void endpointBacksOffWithALockerOfTheApplicationsOwn() {
        application
                .withUserConfiguration(WithOwnLocker.class)
                .withPropertyValues(EXPOSED)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CassandraLocksEndpoint.class));
    }

    @Test
    void endpointShowsWhatThisProcessHoldsUnderAnAlgorithmOfTheApplicationsOwn() {
        application
                .withUserConfiguration(WithOwnAlgorithm.class)
                .withPropertyValues(EXPOSED)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(CassandraLocksEndpoint.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "1"})
    void locksAreBrokenIfThatIsSwitchedOn(String on) {
        application
                .withPropertyValues(EXPOSED, "cassandra-lock.force-release.enabled=" + on)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(ForceReleasingLocksEndpoint.class)
                        .hasSingleBean(ForceReleaser.class));
    }

    @Test
    void processGivesUpBrokenLocksWithoutAnEndpointAndWithLazyBeans() {
        application
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues(FORCE_RELEASE)
                .run(context -> assertThat(context.getBeanFactory().containsSingleton("cassandraLockForceReleaser"))
                        .isTrue());
    }

    @Test
    void endpointAndReleaserDoNotNeedCassandraAtALazyStart() {
        application
                .withPropertyValues(EXPOSED, FORCE_RELEASE, "cassandra-lock.startup=lazy")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ForceReleasingLocksEndpoint.class));
    }

    /** As {@code @MockitoBean RemoteLocker} does it. */
    @Test
    void lockerThatATestHasReplacedLeavesAnEndpointThatShowsNothing() {
        application
                .withInitializer(context -> context.addBeanFactoryPostProcessor(beans -> {
                    ((BeanDefinitionRegistry) beans).removeBeanDefinition("remoteLocker");
                    beans.registerSingleton("remoteLocker", mock(RemoteLocker.class));
                }))
                .withPropertyValues(EXPOSED, FORCE_RELEASE)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CassandraLocksEndpoint.class)
                        .doesNotHaveBean(AlgorithmLocker.class));
    }

    @Test
    void forceReleaseIsRefusedForAlgorithmsWithoutIt() {
        application
                .withPropertyValues(FORCE_RELEASE, "cassandra-lock.algorithm=shadow")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(InvalidLockPropertyException.class)
                        .rootCause()
                        .hasMessageContaining("force-release"));
        application
                .withUserConfiguration(WithOwnAlgorithm.class)
                .withPropertyValues(FORCE_RELEASE)
                .run(context ->
                        assertThat(context).getFailure().hasRootCauseInstanceOf(InvalidLockPropertyException.class));
    }
}
