package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The supported databases, and whether they keep what they acknowledge. */
public enum Database {
    /** A primary server of PostgreSQL. */
    POSTGRESQL("bytea", " COLLATE \"C\""),

    /** H2, for trials. */
    H2("varbinary(1048576)", "");

    private static final Logger log = LoggerFactory.getLogger(Database.class);

    private static final String KEPT = "current_setting('synchronous_commit') <> 'off'"
            + " AND (current_setting('synchronous_commit') <> 'local' OR current_setting('synchronous_standby_names') = '')";

    private static final String KEEPS_COMMITS = "SELECT " + KEPT;

    /** A setting of this module, which ends with the transaction. */
    private static final String OPEN = "exactly_once.transaction";

    private static final String KEEPS_COMMITS_AND_IS_OPEN =
            KEEPS_COMMITS + ", current_setting('" + OPEN + "', true) IS NOT DISTINCT FROM 'open'";

    private final String bytesType;
    private final String nameCollation;

    Database(String bytesType, String nameCollation) {
        this.bytesType = bytesType;
        this.nameCollation = nameCollation;
    }

    /** The type of columns for up to a mebibyte. */
    public String getBytesType() {
        return bytesType;
    }

    /**
     * The type of columns for names, which are compared by their bytes. An index in a collation of the operating system breaks when
     * that collation is updated.
     */
    public String getNameType() {
        return "varchar(512)" + nameCollation;
    }

    /**
     * The database of a connection.
     *
     * @throws StoreUnfitException if it is neither of these
     */
    public static Database of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "h2" -> H2;
            default ->
                throw new StoreUnfitException(
                        "Only PostgreSQL can be used, or H2 for trials, but the data source is of " + product
                                + ". Give it another data source.");
        };
    }

    /**
     * Checks that the database keeps what it acknowledges in a table. Blocks.
     *
     * @param table an existing one, as a statement names it
     * @throws StoreUnfitException if it does not
     * @throws RegisterUnavailableException if the server is a standby at present
     */
    public void requireToKeep(Connection connection, String table) throws SQLException {
        switch (this) {
            case POSTGRESQL -> {
                requirePrimary(connection);
                requireSetting(connection, "synchronous_commit", "a commit is acknowledged before it is on the disk");
                requireSetting(connection, "fsync", "commits need not be on the disk");
                requireStandby(connection);
                requireLogged(connection, table);
            }
            case H2 ->
                log.warn(
                        "The table {} is in H2. When its process ends, H2 forgets the last half second, or all if it is"
                                + " in memory. Use it for trials only",
                        table);
        }
    }

    private static void requirePrimary(Connection connection) throws SQLException {
        if (isTrue(connection, "SELECT pg_is_in_recovery()")) {
            throw new RegisterUnavailableException(
                    "The data source leads to a standby server, which takes no writes. It may become the primary server"
                            + " soon. If it does not, give the data source the address of the primary server"
                            + " (targetServerType=primary).",
                    new IllegalStateException("pg_is_in_recovery() is true"));
        }
    }

    private static void requireSetting(Connection connection, String setting, String reason) throws SQLException {
        if (isTrue(connection, "SELECT current_setting('" + setting + "') = 'off'")) {
            throw new StoreUnfitException("PostgreSQL has " + setting + " = off for this user and database: " + reason
                    + ", so a crash forgets what was acknowledged, and inputs are lost or take effect twice. Set "
                    + setting
                    + " = on, for this user or in postgresql.conf.");
        }
    }

    private static void requireStandby(Connection connection) throws SQLException {
        if (!isTrue(connection, KEEPS_COMMITS)) {
            throw new StoreUnfitException(
                    "PostgreSQL has synchronous_commit = local for this user and database, although"
                            + " synchronous_standby_names names standby servers. A commit is acknowledged before they"
                            + " have it, so a failover forgets it. Set synchronous_commit = on, for this user or in"
                            + " postgresql.conf.");
        }
    }

    /** A condition of PostgreSQL: the transaction that was marked as open has not ended, and its commit will be kept. */
    public static String keepsOpenTransaction() {
        return "current_setting('" + OPEN + "', true) = 'open' AND (" + KEPT + ")";
    }

    /** The statement that marks a transaction of PostgreSQL until it ends. */
    static String markAsOpen() {
        return "SET LOCAL " + OPEN + " = 'open'";
    }

    /**
     * Whether an acknowledged commit of this session is on the disk, and on the synchronous standby if there is one. Blocks. For H2
     * it is always true, but the database must answer.
     *
     * @throws IllegalStateException if the transaction that was marked as open has ended
     */
    boolean keepsCommits(Connection connection) throws SQLException {
        return switch (this) {
            case POSTGRESQL -> isOpenAndKeepsCommits(connection);
            case H2 -> isTrue(connection, "SELECT TRUE");
        };
    }

    private static boolean isOpenAndKeepsCommits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(KEEPS_COMMITS_AND_IS_OPEN)) {
            row.next();
            if (!row.getBoolean(2)) {
                throw new IllegalStateException(
                        "An effect has ended its transaction, by COMMIT or ROLLBACK. What it did before may be"
                                + " committed without the rest. Look at the data of this message, correct the effect,"
                                + " and start again");
            }
            return row.getBoolean(1);
        }
    }

    private static void requireLogged(Connection connection, String table) throws SQLException {
        if (isTrue(connection, "SELECT relpersistence <> 'p' FROM pg_class WHERE oid = to_regclass('" + table + "')")) {
            throw new StoreUnfitException(
                    "The table " + table + " is unlogged or temporary, so PostgreSQL empties it after a"
                            + " crash. If it has no rows yet, run: ALTER TABLE " + table
                            + " SET LOGGED; else create another one.");
        }
    }

    private static boolean isTrue(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() && row.getBoolean(1);
        }
    }
}
