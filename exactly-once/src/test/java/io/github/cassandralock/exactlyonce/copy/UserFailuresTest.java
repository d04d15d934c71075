package io.github.cassandralock.exactlyonce.copy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures that would end whoever logs them. */
@Timeout(10)
class UserFailuresTest {

    private static final class Mute extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("the entity is detached");
        }
    }

    private static final class Endless extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            return "again: " + this;
        }
    }

    @Test
    void failureThatDescribesItselfIsKept() {
        RuntimeException failure = new IllegalStateException("no", new IllegalArgumentException("because"));
        assertThat(UserFailures.describable(failure)).isSameAs(failure);
    }

    @Test
    void failureThatCannotDescribeItselfIsReplacedByItsClassAndItsTrace() {
        for (RuntimeException failure : new RuntimeException[] {new Mute(), new Endless()}) {
            assertThat(UserFailures.describable(new IllegalStateException("wrapped", failure)))
                    .as("a cause")
                    .hasMessageContaining("IllegalStateException, or a cause of it, which cannot describe itself");
            assertThat(UserFailures.describable(failure))
                    .hasMessageContaining(failure.getClass().getName())
                    .satisfies(
                            described -> assertThat(described.getStackTrace()).isEqualTo(failure.getStackTrace()));
        }
    }

    @Test
    void causesThatFormACircleEnd() {
        RuntimeException one = new IllegalStateException("one");
        RuntimeException other = new IllegalStateException("other", one);
        one.initCause(other);
        assertThat(UserFailures.describable(one)).isSameAs(one);
    }
}
