package io.github.cassandralock.exactlyonce.store;

import static io.github.cassandralock.exactlyonce.store.StoreContracts.CASSANDRA;
import static io.github.cassandralock.exactlyonce.store.StoreContracts.H2;
import static io.github.cassandralock.exactlyonce.store.StoreContracts.REDIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Mutant;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Faults in stores (docs/exactly-once.md, section 1), each with the test of the contract that must fail. */
final class StoreMutants {

    private static final String JDBC_STORE = "store.jdbc.JdbcRegisterStore";
    private static final String JDBC_STATEMENTS = "store.jdbc.RegisterStatements";
    private static final String REDIS_STORE = "store.redis.RedisRegisterStore";
    private static final String CASSANDRA_STORE = "store.cassandra.CassandraRegisterStore";

    private StoreMutants() {}

    private static Mutant fault(
            StoreContracts contract, String test, String name, String type, String original, String planted) {
        return Mutant.of(
                contract,
                violations ->
                        violations.stream().filter(told -> told.contains(test)).toList(),
                name,
                type,
                original,
                planted);
    }

    static void assertCaught(Mutant mutant, Path directory) throws Exception {
        List<String> violations = mutant.in(directory).apply(0);
        assertThat(mutant.expected().among(violations))
                .as("the test that must fail, of %s", violations)
                .isNotEmpty();
    }

    static Stream<Mutant> ofH2() {
        return Stream.of(
                fault(
                        H2,
                        "refusalShowsThePresentVersion",
                        "JDBC: a write with an older version is applied",
                        JDBC_STATEMENTS,
                        "register_value = ? WHERE name = ? AND version = ?\";",
                        "register_value = ? WHERE name = ? AND version >= ?\";"),
                fault(
                        H2,
                        "eachVersionHasOneWinner",
                        "JDBC: the version is compared before the update, not by it",
                        JDBC_STORE,
                        "return connection.update(statements.replaceRegister(), settings.timeout(), statement -> {",
                        "if (present(connection, name).version() != expected) { return false; }"
                                + " java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);"
                                + " return connection.update(statements.replaceRegister()"
                                + ".replace(\"AND version = ?\", \"AND ? > 0\"), settings.timeout(), statement -> {"),
                fault(
                        H2,
                        "sameRequestSentAgainIsRefused",
                        "JDBC: a register that is there is created again",
                        JDBC_STATEMENTS,
                        "return \"INSERT INTO \" + table + \" (\" + COLUMNS + \") VALUES (?, 1, ?, ?, ?)\"",
                        "return \"MERGE INTO \" + table + \" (\" + COLUMNS + \") KEY (name) VALUES (?, 1, ?, ?, ?)\""),
                fault(
                        H2,
                        "writeWhoseAnswerIsLostIsUnknown",
                        "JDBC: a lost answer is taken for a refusal",
                        JDBC_STORE,
                        "throw failures.ofCompareAndSet(name, SqlFailures.ofStatement(e), e);",
                        "return false;"),
                fault(
                        H2,
                        "writeWhoseAnswerIsLostIsUnknown",
                        "JDBC: a lost answer is taken for success",
                        JDBC_STORE,
                        "throw failures.ofCompareAndSet(name, SqlFailures.ofStatement(e), e);",
                        "return true;"),
                fault(
                        H2,
                        "eachWriteMakesTheNextVersion",
                        "JDBC: the id of the write is not changed with the value",
                        JDBC_STATEMENTS,
                        "counter = ?, register_value = ? WHERE",
                        "counter = counter + 0 * ?, register_value = ? WHERE"),
                fault(
                        H2,
                        "interruptedThreadSendsNothing",
                        "JDBC: a thread that was interrupted sends its request",
                        "jdbc.StatementConnection",
                        "if (Thread.interrupted()) {",
                        "if (false) {"));
    }

    static Stream<Mutant> ofRedis() {
        return Stream.of(
                fault(
                        REDIS,
                        "refusalShowsThePresentVersion",
                        "Redis: the version is not compared",
                        REDIS_STORE,
                        "if (present[1] or '0') ~= ARGV[1] then",
                        "if false then"),
                fault(
                        REDIS,
                        "eachWriteMakesTheNextVersion",
                        "Redis: the id of the write is not changed with the value",
                        REDIS_STORE,
                        "'process', ARGV[3], 'counter', ARGV[4],",
                        "'process', ARGV[3], 'counter', ARGV[2],"),
                fault(
                        REDIS,
                        "AnswerIsLostIsUnknown",
                        "Redis: a request that may have been applied is taken for not applied",
                        REDIS_STORE,
                        "throw failures.ofCompareAndSet(name, RedisFailures.of(cause(e)), cause(e));",
                        "throw failures.ofCompareAndSet(name, FailureMeaning.NOT_APPLIED, cause(e));"));
    }

    static Stream<Mutant> ofCassandra() {
        return Stream.of(
                fault(
                        CASSANDRA,
                        "refusalShowsThePresentVersion",
                        "Cassandra: a refusal shows the version alone",
                        CASSANDRA_STORE,
                        "+ \" IF version = ? AND process != null AND counter != null AND value != null\"",
                        "+ \" IF version = ?\""),
                fault(
                        CASSANDRA,
                        "AnswerIsLostIsUnknown",
                        "Cassandra: a request that may have been applied is taken for not applied",
                        CASSANDRA_STORE,
                        "throw failures.ofCompareAndSet(name, meaning(cause(e)), cause(e));",
                        "throw failures.ofCompareAndSet(name, FailureMeaning.NOT_APPLIED, cause(e));"));
    }
}
