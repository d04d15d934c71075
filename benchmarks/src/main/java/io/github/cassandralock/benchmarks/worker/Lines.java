package io.github.cassandralock.benchmarks.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/** Orders and answers as lines of JSON. Thread-safe. */
final class Lines {

    private final JsonMapper mapper =
            JsonMapper.builder().addModule(new JavaTimeModule()).build();

    String write(Object message) {
        try {
            return mapper.writeValueAsString(message);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    <T> T read(String line, Class<T> type) {
        try {
            return mapper.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Not a message between the benchmark and its workers: " + line, e);
        }
    }
}
