package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Creates or checks tables before they are used.
 *
 * @param source belongs to the caller
 * @param timeout how long an answer may take
 * @param what the tables keep, as in "registers"
 * @param advice how to create the tables, and which permissions the user needs; for a refusal of the database
 */
public record DatabaseSetup(DataSource source, Duration timeout, String what, Function<Database, String> advice) {

    /** Works on the tables. */
    @FunctionalInterface
    public interface Task<T> {
        T on(Connection connection, Database database) throws SQLException;
    }

    /**
     * Runs a task on a connection whose statements are committed one by one. Blocks.
     *
     * @param task to run
     * @return its result
     * @throws StoreUnfitException if the database is of another kind, or refuses
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was interrupted,
     *     and then stays so
     */
    public <T> T run(Task<T> task) {
        try (StatementConnection connection = StatementConnection.open(source, timeout)) {
            Database database = Database.of(connection.getConnection());
            try {
                return task.on(connection.getConnection(), database);
            } catch (SQLException e) {
                throw failed(database, e);
            }
        } catch (NotConnectedException | SQLException e) {
            throw new RegisterUnavailableException(
                    "There is no connection to the database for " + what + ": " + e.getMessage()
                            + ". Check the data source, and open the " + what + " again.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegisterUnavailableException(
                    "Interrupted while the tables of " + what + " were opened. Open them again.", e);
        }
    }

    private RuntimeException failed(Database database, SQLException e) {
        return SqlFailures.ofStatement(e) == FailureMeaning.REFUSED
                ? new StoreUnfitException(
                        "The database refuses a statement on the tables of " + what + ": " + e.getMessage() + ". "
                                + advice.apply(database),
                        e)
                : new RegisterUnavailableException(
                        "The database did not answer while the tables of " + what + " were opened: " + e.getMessage()
                                + ". Open them again; if this goes on, check whether the database is up.",
                        e);
    }
}
