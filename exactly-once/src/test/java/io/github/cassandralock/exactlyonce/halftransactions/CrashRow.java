package io.github.cassandralock.exactlyonce.halftransactions;

import io.github.cassandralock.exactlyonce.halftransactions.CrashPoint.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The table of crash points in docs/exactly-once.md, section 5. */
enum CrashRow {
    EFFECT_COMMITTED("EFFECT committed"),
    EFFECT_MADE("effect made, state not changed"),
    OUTPUT_DECIDED("output decided, or index chosen"),
    CELL_WRITTEN("cell written, state not changed"),
    INDEX_UPDATED("index updated, not committed"),
    COMMITTED("committed, answer lost"),
    OUTBOX_WRITTEN("outbox written, not pumped");

    private static final Set<String> OUTPUT_PHASES = Set.of("Preparing", "Writing", "SoleWriting");

    final String text;

    CrashRow(String text) {
        this.text = text;
    }

    private boolean isAt(Operation operation, Moment moment) {
        boolean before = moment == Moment.BEFORE;
        return switch (this) {
            case EFFECT_COMMITTED ->
                before
                        ? operation.kind() == Operation.Kind.EFFECT
                        : operation.phase().equals("Effect");
            case EFFECT_MADE -> !before && operation.kind() == Operation.Kind.EFFECT;
            case OUTPUT_DECIDED -> !before && OUTPUT_PHASES.contains(operation.phase());
            case CELL_WRITTEN -> !before && operation.kind() == Operation.Kind.CELL;
            case INDEX_UPDATED ->
                before
                        ? operation.kind() == Operation.Kind.COMMIT
                        : operation.kind() == Operation.Kind.STATEMENT
                                && operation.subject().startsWith("UPDATE");
            case COMMITTED -> !before && operation.kind() == Operation.Kind.COMMIT;
            case OUTBOX_WRITTEN ->
                before
                        && operation.kind() == Operation.Kind.CELL
                        && operation.subject().contains(PostgresToCassandra.ARRIVALS);
        };
    }

    /** The crash points of this row in a run with such operations. */
    List<CrashPoint> pointsIn(List<Operation> operations) {
        List<CrashPoint> points = new ArrayList<>();
        for (int number = 0; number < operations.size(); number++) {
            for (Moment moment : Moment.values()) {
                if (isAt(operations.get(number), moment)) {
                    points.add(new CrashPoint(number, moment));
                }
            }
        }
        return points;
    }

    /** The crash points before and after each operation. */
    static Stream<CrashPoint> allIn(List<Operation> operations) {
        return Stream.iterate(0, number -> number < operations.size(), number -> number + 1)
                .flatMap(number -> Stream.of(CrashPoint.before(number), CrashPoint.after(number)));
    }
}
