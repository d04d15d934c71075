package io.github.cassandralock.sample.window;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Values as JSON.
 *
 * @param <T> the values
 */
record Json<T>(ObjectMapper mapper, Class<T> type) implements Codec<T> {

    @Override
    public byte[] encode(T value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public T decode(byte[] bytes) {
        try {
            return mapper.readValue(bytes, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
