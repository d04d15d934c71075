package io.github.cassandralock.sample.window.live;

import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What the two sinks have written. */
@Repository
class Results {

    private static final int MOST = 2_000;

    /**
     * An average in the archive.
     *
     * @param place in the archive: later ones are higher
     * @param step of which it is
     * @param average of the numbers in the window
     * @param numbers how many these were
     * @param increments how often the counter was to be raised up to this step
     * @param at by the database's clock, in milliseconds since 1970
     */
    record Output(long place, long step, double average, int numbers, long increments, long at) {}

    /**
     * The counter.
     *
     * @param value how often it was raised
     * @param lastStep for which step it was raised last
     */
    record Counter(long value, long lastStep) {}

    private final JdbcClient database;

    Results(JdbcClient database) {
        this.database = database;
    }

    /** The outputs after a place, in order; the first ones if there are too many for one answer. */
    List<Output> after(long place) {
        return outputs("place > ?", place);
    }

    /** The latest outputs, in order. */
    List<Output> latest() {
        return outputs("place > (SELECT COALESCE(MAX(place), 0) FROM averages) - ?", MOST / 2);
    }

    private List<Output> outputs(String condition, long parameter) {
        return database.sql("SELECT place, step, average, numbers, increments, written_at FROM averages WHERE "
                        + condition + " ORDER BY place LIMIT " + MOST)
                .param(parameter)
                .query((row, number) -> new Output(
                        row.getLong("place"),
                        row.getLong("step"),
                        row.getDouble("average"),
                        row.getInt("numbers"),
                        row.getLong("increments"),
                        row.getObject("written_at", OffsetDateTime.class)
                                .toInstant()
                                .toEpochMilli()))
                .list();
    }

    Counter counter() {
        return database.sql("SELECT n, last_step FROM counter")
                .query((row, number) -> new Counter(row.getLong("n"), row.getLong("last_step")))
                .single();
    }
}
