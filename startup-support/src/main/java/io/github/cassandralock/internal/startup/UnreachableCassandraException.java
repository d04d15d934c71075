package io.github.cassandralock.internal.startup;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.Map;

/** No contact point answers. The message names each one as it is configured, with the operating system's reason. */
public final class UnreachableCassandraException extends AllNodesFailedException {

    private static final long serialVersionUID = 1L;

    private final String text;

    UnreachableCassandraException(String text) {
        super(text, null, List.<Map.Entry<Node, List<Throwable>>>of());
        this.text = text;
    }

    /** Overridden, because the driver's method adds text. */
    @Override
    public String getMessage() {
        return text;
    }

    @Override
    public DriverException copy() {
        return new UnreachableCassandraException(text);
    }
}
