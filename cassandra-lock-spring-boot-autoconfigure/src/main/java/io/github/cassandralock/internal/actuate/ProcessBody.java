package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.inspect.ProcessOwner;
import org.jspecify.annotations.Nullable;

/** A process, as the endpoint answers. Unknown values are null. */
record ProcessBody(
        String owner,
        @Nullable String host,
        @Nullable Long pid,
        @Nullable String application) {

    static ProcessBody of(ProcessOwner owner) {
        return new ProcessBody(
                owner.text(),
                owner.host().orElse(null),
                owner.pid().isPresent() ? owner.pid().getAsLong() : null,
                owner.application().orElse(null));
    }
}
