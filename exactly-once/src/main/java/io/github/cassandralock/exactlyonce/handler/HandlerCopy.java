package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** One copy of a handler. It does all of the handler's work, so one remaining copy suffices. Thread-safe. */
public final class HandlerCopy extends Copy<HandlerListener> {

    private final HandlerProtocol<?> protocol;

    /**
     * Creates a copy that is not started. Does no I/O.
     *
     * @param definition equal in all copies
     * @param copyName the name of this copy, for the name of its thread
     * @param listener receives what this copy does
     * @param environment the clock, the pauses and the thread
     */
    public HandlerCopy(
            HandlerDefinition<?> definition, String copyName, HandlerListener listener, CopyEnvironment environment) {
        this(definition, copyName, List.of(listener), environment);
    }

    /**
     * Creates a copy with several listeners that is not started. Does no I/O.
     *
     * @param definition equal in all copies
     * @param copyName the name of this copy, for the name of its thread
     * @param listeners receive what this copy does, in this order, even if one of them throws
     * @param environment the clock, the pauses and the thread
     */
    public HandlerCopy(
            HandlerDefinition<?> definition,
            String copyName,
            List<HandlerListener> listeners,
            CopyEnvironment environment) {
        super("handler", definition.getName(), copyName, listeners, environment);
        this.protocol = new HandlerProtocol<>(
                definition,
                environment.calendar(),
                getPauser(),
                environment.ticker(),
                environment.branches(),
                new SafeHandlerListener(listeners()));
    }

    @Override
    protected void run() throws InterruptedException {
        try {
            protocol.run(() -> !beginStep());
        } finally {
            if (!beginStep()) {
                Thread.interrupted(); // by the close, which waits for this last request
                protocol.leaveAtRest();
            }
        }
    }

    /** How far the handler is, as this copy has seen it last. Empty until the copy has read the state. Does no I/O. */
    public Optional<HandlerPosition> getPosition() {
        return protocol.lastSeen()
                .map(seen -> new HandlerPosition(
                        seen.state().step(),
                        seen.state().phase().text(),
                        seen.state().inputs().entrySet().stream()
                                .collect(Collectors.toUnmodifiableMap(
                                        Map.Entry::getKey,
                                        input -> input.getValue().index()))));
    }
}
