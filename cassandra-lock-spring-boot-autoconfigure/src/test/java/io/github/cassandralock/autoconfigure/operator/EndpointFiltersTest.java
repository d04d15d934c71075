package io.github.cassandralock.autoconfigure.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.endpoint.ServletRequestFilter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** The endpoint has its filter if it is exposed. */
class EndpointFiltersTest {

    private final WebApplicationContextRunner application =
            new WebApplicationContextRunner().withUserConfiguration(EndpointFilters.class);

    @ParameterizedTest
    @CsvSource({"health, ''", "cassandralocks, cassandraLocksRequestFilter", "*, cassandraLocksRequestFilter"})
    void endpointThatIsExposedHasAFilter(String exposed, String filters) {
        application
                .withPropertyValues("management.endpoints.web.exposure.include=" + exposed)
                .run(context -> assertThat(String.join(" ", context.getBeanNamesForType(ServletRequestFilter.class)))
                        .isEqualTo(filters));
    }
}
