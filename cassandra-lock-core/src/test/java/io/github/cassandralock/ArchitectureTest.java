package io.github.cassandralock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.github.cassandralock.internal.structure.Structure.mayUse;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.period.StoredPeriod;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.structure.Rooms;
import io.github.cassandralock.internal.structure.Structure;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** The table of the core's packages in docs/architecture.md. */
@AnalyzeClasses(packages = "io.github.cassandralock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String API = "io.github.cassandralock";
    private static final String SPI = API + ".spi";
    private static final String SHOWN = API + ".inspect";
    private static final String INTERNAL = API + ".internal";
    private static final String TEXT = INTERNAL + ".text";
    private static final String TIME = INTERNAL + ".time";
    private static final String STORE = INTERNAL + ".store";
    private static final String PERIOD = INTERNAL + ".period";
    private static final String COUNTER = INTERNAL + ".counter";
    private static final String STEPS = INTERNAL + ".steps";
    private static final String INSPECT = INTERNAL + ".inspect";
    private static final String SESSION = INTERNAL + ".session";
    private static final String NOTICE = INTERNAL + ".notice";
    private static final String DEADLOCK = INTERNAL + ".deadlock";
    private static final String TICKET = INTERNAL + ".ticket";
    private static final String LOCKER = INTERNAL + ".locker";
    private static final String LEASE = INTERNAL + ".thesis.lease";
    private static final String GLOBAL_TIME = INTERNAL + ".thesis.time";
    private static final Set<String> COMMON_POOL = Set.of("delayedExecutor", "orTimeout", "completeOnTimeout");

    /** A name service that does not answer would delay the caller by seconds. */
    @ArchTest
    static final ArchRule NO_NAME_SERVICE_IS_ASKED_FOR_THE_NAME_OF_A_MACHINE = noClasses()
            .should()
            .callMethod(InetAddress.class, "getLocalHost")
            .orShould()
            .callMethod(InetAddress.class, "getHostName")
            .orShould()
            .callMethod(InetAddress.class, "getCanonicalHostName")
            .orShould()
            .callMethod(InetSocketAddress.class, "getHostName");

    @ArchTest
    static final ArchRule API_RULE = mayUse(API);

    /** The application's own tasks may block it. */
    @ArchTest
    static final ArchRule NOTHING_RUNS_ON_THE_COMMON_POOL = noClasses()
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "it would run on the common pool, or on a thread of the JDK",
                    call -> call.getTargetOwner().isAssignableTo(CompletableFuture.class)
                            && (COMMON_POOL.contains(call.getName())
                                    || (call.getName().endsWith("Async")
                                            && call.getTarget().getRawParameterTypes().stream()
                                                    .noneMatch(type -> type.isEquivalentTo(Executor.class))))));

    @ArchTest
    static final ArchRule SPI_RULE = mayUse(SPI, API);

    @ArchTest
    static final ArchRule TEXT_RULE = mayUse(TEXT, TIME);

    @ArchTest
    static final ArchRule TIME_RULE = mayUse(TIME);

    @ArchTest
    static final ArchRule STORE_RULE = mayUse(STORE, API);

    @ArchTest
    static final ArchRule PERIOD_RULE = mayUse(PERIOD, API, STORE);

    @ArchTest
    static final ArchRule SHOWN_RULE = mayUse(SHOWN, API);

    @ArchTest
    static final ArchRule INSPECT_RULE = mayUse(INSPECT, API, SHOWN, STORE);

    @ArchTest
    static final ArchRule COUNTER_RULE = mayUse(COUNTER);

    @ArchTest
    static final ArchRule STEPS_RULE = mayUse(STEPS, STORE, TIME);

    @ArchTest
    static final ArchRule SESSION_RULE = mayUse(SESSION, API, STORE, COUNTER, TIME, TEXT, STEPS);

    @ArchTest
    static final ArchRule NOTICE_RULE = mayUse(NOTICE, API, STORE, COUNTER, TIME, TEXT, "javax.crypto..");

    @ArchTest
    static final ArchRule DEADLOCK_RULE = mayUse(DEADLOCK, API, STORE, COUNTER, TIME, TEXT, STEPS, SESSION);

    @ArchTest
    static final ArchRule TICKET_RULE = mayUse(
            TICKET,
            API,
            SPI,
            STORE,
            TIME,
            COUNTER,
            STEPS,
            SESSION,
            NOTICE,
            DEADLOCK,
            TICKET + ".lock",
            TICKET + ".handle",
            TICKET + ".process");

    @ArchTest
    static final ArchRule TICKET_LOCK_RULE = mayUse(
            TICKET + ".lock",
            API,
            SPI,
            STORE,
            TIME,
            TEXT,
            STEPS,
            SESSION,
            NOTICE,
            DEADLOCK,
            TICKET + ".slot",
            TICKET + ".attempt",
            TICKET + ".handle",
            TICKET + ".table",
            TICKET + ".rows",
            TICKET + ".process");

    @ArchTest
    static final ArchRule TICKET_SLOT_RULE = mayUse(
            TICKET + ".slot",
            API,
            SPI,
            STORE,
            COUNTER,
            TIME,
            STEPS,
            SESSION,
            TICKET + ".attempt",
            TICKET + ".handle",
            TICKET + ".table",
            TICKET + ".process");

    @ArchTest
    static final ArchRule TICKET_HANDLE_RULE = mayUse(
            TICKET + ".handle",
            API,
            SPI,
            STORE,
            PERIOD,
            TIME,
            STEPS,
            SESSION,
            TICKET + ".table",
            TICKET + ".rows",
            TICKET + ".process");

    @ArchTest
    static final ArchRule TICKET_PROCESS_RULE =
            mayUse(TICKET + ".process", SPI, STORE, COUNTER, TIME, TEXT, STEPS, SESSION, NOTICE);

    @ArchTest
    static final ArchRule TICKET_ROWS_RULE = mayUse(TICKET + ".rows", API, STORE, NOTICE);

    @ArchTest
    static final ArchRule TICKET_TABLE_RULE = mayUse(
            TICKET + ".table", API, STORE, COUNTER, TIME, TEXT, STEPS, SESSION, TICKET + ".rows", TICKET + ".process");

    @ArchTest
    static final ArchRule TICKET_ATTEMPT_RULE = mayUse(
            TICKET + ".attempt",
            API,
            SPI,
            STORE,
            TIME,
            STEPS,
            SESSION,
            NOTICE,
            TICKET + ".table",
            TICKET + ".rows",
            TICKET + ".process");

    @ArchTest
    static final ArchRule TICKET_OPERATOR_RULE = mayUse(
            TICKET + ".operator",
            API,
            STORE,
            TEXT,
            TIME,
            STEPS,
            SESSION,
            SHOWN,
            INSPECT,
            TICKET,
            TICKET + ".rows",
            TICKET + ".process");

    @ArchTest
    static final ArchRule LOCKER_RULE = mayUse(
            LOCKER,
            API,
            SPI,
            TIME,
            TEXT,
            SHOWN,
            INSPECT,
            LOCKER + ".call",
            LOCKER + ".path",
            LOCKER + ".held",
            LOCKER + ".observe");

    @ArchTest
    static final ArchRule LOCKER_CALL_RULE = mayUse(
            LOCKER + ".call", API, SPI, STORE, PERIOD, TIME, TEXT, INSPECT, LOCKER + ".held", LOCKER + ".observe");

    @ArchTest
    static final ArchRule LOCKER_PATH_RULE = mayUse(LOCKER + ".path", API, SPI, TIME, STEPS, LOCKER + ".held");

    @ArchTest
    static final ArchRule LOCKER_HELD_RULE =
            mayUse(LOCKER + ".held", API, SPI, TIME, TEXT, STEPS, INSPECT, LOCKER + ".observe");

    @ArchTest
    static final ArchRule LOCKER_OBSERVE_RULE = mayUse(LOCKER + ".observe", API, TIME, TEXT);

    @ArchTest
    static final ArchRule LEASE_RULE = mayUse(LEASE, API, SPI, STORE, COUNTER, TIME, TEXT, STEPS);

    @ArchTest
    static final ArchRule GLOBAL_TIME_RULE = mayUse(GLOBAL_TIME, API, SPI, STORE, TIME);

    @ArchTest
    static final ArchRule QUEUE_RULE = mayUse(
            INTERNAL + ".thesis.queue",
            API,
            SPI,
            STORE,
            COUNTER,
            TIME,
            TEXT,
            STEPS,
            LEASE,
            GLOBAL_TIME,
            SHOWN,
            INSPECT);

    @ArchTest
    static final ArchRule SHADOW_RULE =
            mayUse(INTERNAL + ".thesis.shadow", API, SPI, STORE, COUNTER, TIME, TEXT, STEPS, LEASE, SHOWN, INSPECT);

    @ArchTest
    static final ArchRule MIGRATION_RULE = mayUse(INTERNAL + ".migration", API, SPI, STEPS, SHOWN, INSPECT);

    @ArchTest
    static final ArchRule MAJORITY_RULE = mayUse(INTERNAL + ".majority", API, SPI, STORE, TIME, TEXT, STEPS);

    @ArchTest
    static final ArchRule WHAT_IS_NOT_API_IS_INTERNAL = classes()
            .that()
            .arePublic()
            .and()
            .resideOutsideOfPackages(API, SHOWN, SPI)
            .should()
            .resideInAPackage(INTERNAL + "..");

    @ArchTest
    static final ArchRule API_AND_SPI_SHOW_NOTHING_INTERNAL = noClasses()
            .that()
            .resideInAnyPackage(API, SHOWN, SPI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(INTERNAL + "..");

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(API + ".(**)").should().beFreeOfCycles();

    /** A period is a date of the application, which is stored and compared. */
    @ArchTest
    static final ArchRule ALGORITHMS_KNOW_NO_WALL_CLOCK_AND_NEVER_SLEEP = noClasses()
            .that()
            .areNotAssignableFrom(WallClock.class)
            .and()
            .doNotBelongToAnyOf(StoredPeriod.class)
            .should()
            .callMethod(WallClock.class, "system")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Instant.class, Clock.class, LocalDateTime.class, Random.class);

    @ArchTest
    static final ArchRule ONLY_THE_TICKER_READS_NANO_TIME = noClasses()
            .that(new DescribedPredicate<JavaClass>("are not the ticker") {
                @Override
                public boolean test(JavaClass type) {
                    return !type.getName().startsWith(TIME + ".Ticker");
                }
            })
            .should()
            .callMethod(System.class, "nanoTime");

    @ArchTest
    static final ArchRule NO_MONITORS = noClasses().should(new ArchCondition<JavaClass>("have synchronized methods") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
            type.getMethods().stream()
                    .filter(method -> method.getModifiers().contains(JavaModifier.SYNCHRONIZED))
                    .forEach(method -> events.add(
                            SimpleConditionEvent.satisfied(method, method.getFullName() + " is synchronized")));
        }
    });

    @ArchTest
    static final ArchRule CLASS_CYCLES = Structure.classCycles(3);

    @ArchTest
    static final ArchRule LONGEST_CLASS = Structure.longestFile(450);

    @ArchTest
    static final ArchRule ROOMS_OF_TICKET = Rooms.of(TICKET)
            .room("process", "", "")
            .room("rows", "", "")
            .room("table", "rows process", "")
            .room("attempt", "table rows process", "")
            .room("handle", "table rows process", "")
            .room("slot", "attempt handle table rows process", "")
            .room("lock", "slot attempt handle table rows process", "")
            .room("(root)", "lock slot attempt handle table rows process", "")
            .room("operator", "(root) rows process", "")
            .wrongReferences(0);

    @ArchTest
    static final ArchRule CALLBACKS_OF_TICKET = Structure.callbacks(TICKET + "..", "LockEvents", "LockAccess");

    @ArchTest
    static final ArchRule CALLBACKS_OF_LOCKER =
            Structure.callbacks(LOCKER + "..", "CallObserver", "CallObserver.Call", "CallObserver.Context");

    /** A decision has no effect but through {@code LockAccess}. */
    @ArchTest
    static final ArchRule DECISIONS_DO_NO_IO = noClasses()
            .that()
            .resideInAnyPackage(TICKET + ".slot", TICKET + ".rows")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(".*\\.ticket\\..*(LockPartition|RowWriter)")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(NoticeChannel.class, Timers.class, CompletableFuture.class, SlotStore.class)
            .orShould()
            .callMethodWhere(DescribedPredicate.describe(
                    "it acts on an attempt, a request, a handle or a session: it returns nothing",
                    call -> Stream.of(SlotAttempt.class, TicketRequest.class, TicketHandle.class, OwnSession.class)
                                    .anyMatch(type -> call.getTargetOwner().isEquivalentTo(type))
                            && call.getTarget().getRawReturnType().isEquivalentTo(void.class)));

    /** That a slot is held, or that an attempt is under way, is a question for the kind as well. */
    @ArchTest
    static final ArchRule STATES_DECIDE = Structure.questionsForTheKind(
            TICKET + ".slot.SlotState", 5, "isFree", "isLeftBehind", "held", "underWay", "conversion");
}
