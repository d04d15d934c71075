package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells several listeners, in their order. One that throws keeps nothing from those after it.
 *
 * @param listeners to tell
 */
record ToldSinkListeners(List<SinkListener> listeners) implements SinkListener {

    private static final Logger log = LoggerFactory.getLogger(ToldSinkListeners.class);

    ToldSinkListeners {
        listeners = List.copyOf(listeners);
    }

    private void each(Consumer<SinkListener> event) {
        for (SinkListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                log.warn("{} failed, which changes nothing for the sink", listener, e);
            }
        }
    }

    @Override
    public void taken(String sink, long index) {
        each(listener -> listener.taken(sink, index));
    }

    @Override
    public void refused(String sink) {
        each(listener -> listener.refused(sink));
    }

    @Override
    public void idle(String sink) {
        each(listener -> listener.idle(sink));
    }

    @Override
    public void sequenceViolated(String sink, SequenceViolation violation) {
        each(listener -> listener.sequenceViolated(sink, violation));
    }

    @Override
    public void transactionFailed(String sink, int attempt, RuntimeException cause) {
        each(listener -> listener.transactionFailed(sink, attempt, cause));
    }

    @Override
    public void failed(String sink, Throwable cause) {
        each(listener -> listener.failed(sink, cause));
    }
}
