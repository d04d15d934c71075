package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.internal.seeded.ViolationKind;
import java.util.List;

/** An event that must never happen. */
public enum Violation implements ViolationKind {

    /** A message that was pushed, or decided, is not in its queue, or an effect is missing. */
    LOST,

    /** A message is in a queue twice, or an effect took place twice. */
    DOUBLE,

    /** An index was left empty, and a later one was filled. */
    HOLE,

    /** A message is in a queue that no committed state has decided, or has other contents. */
    MADE_UP,

    /** A later state of a handler has an earlier step, input index or time. */
    STATE_GOES_BACK,

    /** A state does not follow from the messages that the queue holds at its indexes. */
    WRONG_INPUT,

    /** A cell was written again before all consumers had committed that they took it. */
    UNREAD_OVERWRITTEN,

    /** The low-water mark, a mark or a last sequence is lower than before. */
    LOW_WATER_FALLS,

    /** A message was written at an index that had been used before. */
    WRITTEN_INTO_THE_PAST,

    /** The copies that were left did not finish. */
    NO_PROGRESS,

    /** Money was made or lost. */
    WRONG_SUM,

    /** A copy ended although nobody had closed or killed it. */
    FAILED,

    /** A consumer that was removed from a queue is registered again. */
    COMES_BACK,

    /** A message was parked that is not at fault. */
    PARKED_GOOD,

    /** A consumer's check of sequences told a violation. */
    SEQUENCE;

    String at(long step, String what) {
        return name() + " at step " + step + ": " + what;
    }

    @Override
    public List<String> among(List<String> violations) {
        return violations.stream()
                .filter(told -> told.startsWith(name() + " at "))
                .toList();
    }
}
