package io.github.cassandralock.exactlyonce.sink;

/** An {@link EffectFunction} threw. Nothing was written. */
public class EffectFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message which sink and register
     * @param cause what the function threw
     */
    public EffectFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
