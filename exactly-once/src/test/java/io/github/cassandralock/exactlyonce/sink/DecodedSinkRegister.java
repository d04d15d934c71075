package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.Optional;

/** Registers of sinks, as the checker reads them. */
public final class DecodedSinkRegister {

    private DecodedSinkRegister() {}

    public static Optional<Bytes> content(StoredValue stored) {
        return stored.getVersion() == 0
                ? Optional.empty()
                : SinkRegister.ofBytes("a checked register", stored.getValue()).content();
    }
}
