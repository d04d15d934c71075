package io.github.cassandralock.exactlyonce;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.github.cassandralock.internal.structure.Structure.mayUse;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.cassandralock.internal.structure.Structure;
import java.util.concurrent.TimeUnit;

/** The table of this module's packages in docs/architecture.md. */
@AnalyzeClasses(packages = "io.github.cassandralock.exactlyonce", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String BASE = "io.github.cassandralock.exactlyonce.";
    private static final String TIME = BASE + "time";
    private static final String BYTES = BASE + "bytes";
    private static final String REGISTER = BASE + "register";
    private static final String QUEUE = BASE + "queue";
    private static final String COPY = BASE + "copy";
    private static final String SINK = BASE + "sink";
    private static final String HANDLER = BASE + "handler";

    private static final String STORE = BASE + "store";
    private static final String JDBC = BASE + "jdbc";
    private static final String TABLE = BASE + "table";

    @ArchTest
    static final ArchRule TIME_RULE = mayUse(TIME);

    @ArchTest
    static final ArchRule BYTES_RULE = mayUse(BYTES);

    @ArchTest
    static final ArchRule REGISTER_RULE = mayUse(REGISTER, TIME);

    @ArchTest
    static final ArchRule QUEUE_RULE = mayUse(QUEUE, REGISTER, TIME, BYTES);

    @ArchTest
    static final ArchRule COPY_RULE = mayUse(COPY, TIME);

    @ArchTest
    static final ArchRule SINK_RULE = mayUse(SINK, QUEUE, REGISTER, COPY, TIME, BYTES);

    @ArchTest
    static final ArchRule HANDLER_RULE = mayUse(HANDLER, SINK, QUEUE, REGISTER, COPY, TIME, BYTES);

    @ArchTest
    static final ArchRule STORE_RULE = mayUse(STORE, REGISTER);

    @ArchTest
    static final ArchRule CASSANDRA_RULE = mayUse(
            STORE + ".cassandra",
            STORE,
            REGISTER,
            TIME,
            "io.github.cassandralock.internal.quorum",
            "io.github.cassandralock.internal.startup",
            "com.datastax.oss.driver.api..");

    @ArchTest
    static final ArchRule REDIS_RULE = mayUse(STORE + ".redis", STORE, REGISTER, "io.lettuce.core..");

    @ArchTest
    static final ArchRule MEMORY_RULE = mayUse(STORE + ".memory", REGISTER);

    @ArchTest
    static final ArchRule JDBC_RULE = mayUse(JDBC, STORE, REGISTER, "javax.sql..");

    @ArchTest
    static final ArchRule JDBC_STORE_RULE = mayUse(STORE + ".jdbc", JDBC, STORE, REGISTER, "javax.sql..");

    @ArchTest
    static final ArchRule JDBC_SINK_RULE =
            mayUse(SINK + ".jdbc", SINK, QUEUE, COPY, JDBC, STORE, REGISTER, BYTES, "javax.sql..");

    @ArchTest
    static final ArchRule TABLE_RULE = mayUse(TABLE, QUEUE, REGISTER, COPY, TIME, BYTES);

    @ArchTest
    static final ArchRule JDBC_TABLE_RULE =
            mayUse(TABLE + ".jdbc", TABLE, QUEUE, JDBC, STORE, REGISTER, BYTES, "javax.sql..");

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(BASE + "(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule ONLY_TIME_SLEEPS_AND_KNOWS_THE_CALENDAR = noClasses()
            .that()
            .resideOutsideOfPackage(TIME)
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(TimeUnit.class, "sleep", long.class)
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime");

    @ArchTest
    static final ArchRule CLASS_CYCLES = Structure.classCycles(3);

    @ArchTest
    static final ArchRule PACKAGE_CYCLES = Structure.packageCycles(0);

    @ArchTest
    static final ArchRule LONGEST_CLASS = Structure.longestFile(450);

    /** Ports of stores and databases, what an application implements, and what the simulation schedules. */
    @ArchTest
    static final ArchRule CALLBACKS = Structure.callbacks(
            BASE + ".",
            "Branches",
            "LocalTransaction",
            "MessageTable",
            "Outbox",
            "PumpListener",
            "SinkListener",
            "SinkTransaction",
            "StateCodec",
            "TableListener",
            "TableTransaction",
            "TransactionalSink");
}
