package io.github.cassandralock.exactlyonce.store;

import static io.github.cassandralock.exactlyonce.store.StoreContracts.CASSANDRA;
import static io.github.cassandralock.exactlyonce.store.StoreContracts.H2;
import static io.github.cassandralock.exactlyonce.store.StoreContracts.REDIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Faults in stores (docs/exactly-once.md, section 1), each with the test of the contract that must fail. */
final class StoreMutants {

    private StoreMutants() {}

    private static Fault fault(StoreContracts contract, String test, String name) {
        return Fault.of(
                contract,
                violations ->
                        violations.stream().filter(told -> told.contains(test)).toList(),
                name);
    }

    static void assertCaught(Fault fault, Path directory) throws Exception {
        List<String> violations = fault.plantedIn(directory).apply(0);
        assertThat(fault.expected().among(violations))
                .as("the test that must fail, of %s", violations)
                .isNotEmpty();
    }

    static Stream<Fault> ofH2() {
        return Stream.of(
                fault(H2, "refusalShowsThePresentVersion", "JDBC: a write with an older version is applied")
                        .in("store.jdbc.RegisterStatements", "replaceRegister")
                        .around("return right().replace(\"AND version = ?\", \"AND version >= ?\");"),
                fault(H2, "eachVersionHasOneWinner", "JDBC: the version is compared before the update, not by it")
                        .in("store.jdbc.JdbcRegisterStore", "replace")
                        .around("""
                              if (present(connection, name).getVersion() != expected) {
                                  return false;
                              }
                              java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
                              return right(connection, name, expected, value, writeId);""")
                        .in("store.jdbc.RegisterStatements", "replaceRegister")
                        .around("return right().replace(\"AND version = ?\", \"AND ? > 0\");"),
                fault(H2, "sameRequestSentAgainIsRefused", "JDBC: a register that is there is created again")
                        .in("store.jdbc.RegisterStatements", "createRegister")
                        .body(
                                "return \"MERGE INTO \" + table + \" (\" + COLUMNS + \") KEY (name) VALUES (?, 1, ?, ?, ?)\";"),
                fault(H2, "writeWhoseAnswerIsLostIsUnknown", "JDBC: a lost answer is taken for a refusal")
                        .in("store.jdbc.JdbcRegisterStore", "isWritten")
                        .replacing(
                                "throw failures.ofCompareAndSet(name, SqlFailures.ofStatement(e), e);",
                                "return false;"),
                fault(H2, "writeWhoseAnswerIsLostIsUnknown", "JDBC: a lost answer is taken for success")
                        .in("store.jdbc.JdbcRegisterStore", "isWritten")
                        .replacing(
                                "throw failures.ofCompareAndSet(name, SqlFailures.ofStatement(e), e);", "return true;"),
                fault(H2, "eachWriteMakesTheNextVersion", "JDBC: the id of the write is not changed with the value")
                        .in("store.jdbc.RegisterStatements", "replaceRegister")
                        .around("return right().replace(\"counter = ?\", \"counter = counter + 0 * ?\");"),
                fault(H2, "interruptedThreadSendsNothing", "JDBC: a thread that was interrupted sends its request")
                        .in("jdbc.StatementConnection", "requireNoInterrupt")
                        .body(""));
    }

    static Stream<Fault> ofRedis() {
        return Stream.of(
                fault(REDIS, "refusalShowsThePresentVersion", "Redis: the version is not compared")
                        .in("store.redis.RedisRegisterStore", "COMPARE_AND_SET")
                        .around("""
                              new String(right, StandardCharsets.UTF_8)
                                      .replace("if (present[1] or '0') ~= ARGV[1] then", "if false then")
                                      .getBytes(StandardCharsets.UTF_8)"""),
                fault(REDIS, "eachWriteMakesTheNextVersion", "Redis: the id of the write is not changed with the value")
                        .in("store.redis.RedisRegisterStore", "COMPARE_AND_SET")
                        .around("""
                              new String(right, StandardCharsets.UTF_8)
                                      .replace("'counter', ARGV[4]", "'counter', ARGV[2]")
                                      .getBytes(StandardCharsets.UTF_8)"""),
                fault(
                                REDIS,
                                "AnswerIsLostIsUnknown",
                                "Redis: a request that may have been applied is taken for not applied")
                        .in("store.redis.RedisRegisterStore", "answer")
                        .replacing("RedisFailures.of(cause)", "FailureMeaning.NOT_APPLIED"));
    }

    static Stream<Fault> ofCassandra() {
        return Stream.of(
                fault(CASSANDRA, "refusalShowsThePresentVersion", "Cassandra: a refusal shows the version alone")
                        .in("store.cassandra.CassandraRegisterStore", "conditional")
                        .around("""
                              return right(cql.replace(" AND process != null AND counter != null AND value != null", ""));"""),
                fault(
                                CASSANDRA,
                                "AnswerIsLostIsUnknown",
                                "Cassandra: a request that may have been applied is taken for not applied")
                        .in("store.cassandra.CassandraRegisterStore", "compareAndSet")
                        .replacing("meaning(cause(e))", "FailureMeaning.NOT_APPLIED"));
    }
}
