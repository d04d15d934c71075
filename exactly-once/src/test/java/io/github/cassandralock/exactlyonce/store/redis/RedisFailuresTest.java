package io.github.cassandralock.exactlyonce.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RedisFailuresTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOPERM No permissions to access a key                           | REFUSED",
                "WRONGTYPE Operation against a key holding the wrong kind        | REFUSED",
                "MOVED 866 127.0.0.1:7001                                        | REFUSED",
                "OOM command not allowed when used memory > 'maxmemory'          | NOT_APPLIED",
                "READONLY You can't write against a read only replica            | NOT_APPLIED",
                "MISCONF Errors writing to the AOF file: No space left           | NOT_APPLIED",
                "LOADING Redis is loading the dataset in memory                  | NOT_APPLIED",
                "BUSY Redis is busy running a script                             | NOT_APPLIED",
                "ERR Error running script: -OOM command not allowed              | UNKNOWN",
                "ERR unknown                                                     | UNKNOWN"
            })
    void answers(String message, FailureMeaning meaning) {
        assertThat(RedisFailures.of(new RedisCommandExecutionException(message)))
                .isEqualTo(meaning);
    }

    static Stream<Throwable> unknown() {
        return Stream.of(
                new RedisCommandTimeoutException("5 s"),
                new RedisException("connection lost"),
                new IOException("reset"),
                new CancellationException());
    }

    @ParameterizedTest
    @MethodSource
    void unknown(Throwable failure) {
        assertThat(RedisFailures.of(failure)).isEqualTo(FailureMeaning.UNKNOWN);
    }
}
