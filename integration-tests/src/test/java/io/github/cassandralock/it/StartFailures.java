package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.cassandralock.testing.applications.Application;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.test.system.CapturedOutput;

/** What an operator reads when an application does not start. */
final class StartFailures {

    private StartFailures() {}

    /** @param kind is among the causes */
    static void assertStartFails(
            List<String> arguments, CapturedOutput output, Class<? extends Throwable> kind, String... texts) {
        Throwable failure = catchThrowable(() -> Application.run(List.of(Application.Configuration.class), arguments)
                .close());
        assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause))
                .as("causes of the failed start")
                .hasAtLeastOneElementOfType(kind);
        assertThat(output.getOut()).contains("APPLICATION FAILED TO START").contains(texts);
    }
}
