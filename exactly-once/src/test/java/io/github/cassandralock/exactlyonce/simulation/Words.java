package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.queue.Message;
import java.nio.charset.StandardCharsets;

/** The user's state in the simulated pipeline: which words were taken, in which order, as a count and a hash. */
record Words(long count, long hash) {

    static final String POISON = "poison";

    static final Codec<Words> CODEC = new Codec<>() {
        @Override
        public byte[] encode(Words words) {
            return (words.count + " " + words.hash).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Words decode(byte[] bytes) {
            String[] parts = new String(bytes, StandardCharsets.UTF_8).split(" ", -1);
            return new Words(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
        }
    };

    Words and(String word) {
        return new Words(count + 1, hash * 31 + word.hashCode());
    }

    Words and(Message message) {
        Words after = this;
        for (byte[] payload : message.payloads()) {
            after = after.and(new String(payload, StandardCharsets.UTF_8));
        }
        return after;
    }
}
