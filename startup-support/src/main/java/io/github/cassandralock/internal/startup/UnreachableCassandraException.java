package io.github.cassandralock.internal.startup;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.Map;

/** No contact point answers. The message names each of them as it is configured, with what the operating system says. */
public final class UnreachableCassandraException extends AllNodesFailedException {

    private static final long serialVersionUID = 1L;

    private final String text;

    UnreachableCassandraException(String text) {
        super(text, null, List.<Map.Entry<Node, List<Throwable>>>of());
        this.text = text;
    }

    /** The driver adds to its own. */
    @Override
    public String getMessage() {
        return text;
    }

    @Override
    public DriverException copy() {
        return new UnreachableCassandraException(text);
    }
}
