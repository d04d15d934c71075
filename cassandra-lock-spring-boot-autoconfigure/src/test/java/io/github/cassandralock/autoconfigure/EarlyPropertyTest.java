package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.internal.properties.EarlyProperty;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Catches a spelling of a property that Spring Boot accepts, and that is ignored if the property is read early. */
class EarlyPropertyTest {

    private static int order(PropertySource<?> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(properties);
        return EarlyProperty.value(environment, "cassandra-lock.aspect.order", Integer.class, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cassandra-lock.aspect.order",
                "cassandraLock.aspect.order",
                "cassandra_lock.aspect.order",
                "CASSANDRA-LOCK.ASPECT.ORDER"
            })
    void everySpellingOfANameIsRead(String name) {
        assertThat(order(new MapPropertySource("test", Map.of(name, "${none:7}"))))
                .isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CASSANDRALOCK_ASPECT_ORDER", "CASSANDRA_LOCK_ASPECT_ORDER"})
    void variableOfTheEnvironmentIsRead(String name) {
        assertThat(order(new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, "7"))))
                .isEqualTo(7);
    }

    @Test
    void propertyThatIsNotSetHasItsDefault() {
        assertThat(order(new MapPropertySource("test", Map.of("cassandra-lock.aspect.orders", "7"))))
                .isEqualTo(3);
    }

    @Test
    void wrongValueIsReportedWithTheNameOfTheProperty() {
        PropertySource<?> wrong = new MapPropertySource("test", Map.of("cassandra-lock.aspect.order", "first"));
        assertThatThrownBy(() -> order(wrong))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("cassandra-lock.aspect.order");
    }
}
