package io.github.cassandralock.exactlyonce.sink;

/** An {@link EffectFunction} threw, or its change cannot be written. Nothing was written. */
public class EffectFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which sink and register
     * @param cause what the function threw, or what is wrong with its change
     */
    public EffectFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
