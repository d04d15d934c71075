package io.github.cassandralock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.github.cassandralock.internal.structure.Structure.mayUse;

import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.cassandralock.internal.structure.Structure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.Stream;

/** The table of the auto-configuration's packages in docs/architecture.md. */
@AnalyzeClasses(packages = "io.github.cassandralock", importOptions = ImportOption.DoNotIncludeTests.class)
class AutoConfigurationArchitectureTest {

    private static final String API = "io.github.cassandralock";
    private static final String INTERNAL = API + ".internal";
    private static final String TABLES = API + ".cassandra";
    private static final String AUTOCONFIGURE = API + ".autoconfigure";
    private static final String SPRING = "org.springframework..";
    private static final String OBSERVATION = API + ".observation";
    private static final String REACTOR = API + ".reactor";
    private static final String MICROMETER = "io.micrometer..";
    private static final String DRIVER = "com.datastax.oss.driver..";
    private static final String SPRING_DATA = "org.springframework.data.cassandra..";

    @ArchTest
    static final ArchRule LAZY_RULE = mayUse(INTERNAL + ".lazy", API, API + ".spi", INTERNAL + ".startup");

    @ArchTest
    static final ArchRule OBSERVATION_RULE = mayUse(OBSERVATION, API, MICROMETER);

    @ArchTest
    static final ArchRule OBSERVING_RULE = mayUse(
            INTERNAL + ".observation",
            API,
            OBSERVATION,
            INTERNAL + ".aop",
            INTERNAL + ".cassandra",
            INTERNAL + ".counter",
            INTERNAL + ".inspect",
            INTERNAL + ".locker",
            INTERNAL + ".locker.observe",
            INTERNAL + ".time",
            INTERNAL + ".text",
            MICROMETER);

    @ArchTest
    static final ArchRule REACTOR_RULE = mayUse(REACTOR, API, "reactor..");

    @ArchTest
    static final ArchRule KEY_RULE = mayUse(INTERNAL + ".key", API, SPRING);

    @ArchTest
    static final ArchRule AOP_RULE = mayUse(
            INTERNAL + ".aop",
            API,
            REACTOR,
            INTERNAL + ".key",
            INTERNAL + ".period",
            INTERNAL + ".properties",
            INTERNAL + ".store",
            INTERNAL + ".time",
            SPRING,
            "org.aopalliance..",
            "reactor..",
            "org.reactivestreams..",
            "kotlin..",
            "kotlinx.coroutines..");

    @ArchTest
    static final ArchRule ACTUATE_RULE = mayUse(
            INTERNAL + ".actuate",
            API,
            API + ".inspect",
            INTERNAL + ".inspect",
            INTERNAL + ".endpoint",
            "org.springframework.aot.hint..",
            "org.springframework.boot..",
            "org.springframework.core.io..",
            "org.springframework.lang..",
            "org.springframework.util..");

    @ArchTest
    static final ArchRule INTEGRATION_RULE = mayUse(
            INTERNAL + ".integration",
            API,
            INTERNAL + ".key",
            "org.springframework.integration.support.locks..",
            "org.springframework.dao..");

    @ArchTest
    static final ArchRule SHEDLOCK_RULE = mayUse(
            INTERNAL + ".shedlock", API, API + ".shedlock", INTERNAL + ".time", "net.javacrumbs.shedlock.core..");

    @ArchTest
    static final ArchRule SHEDLOCK_API_RULE = mayUse(API + ".shedlock", API, "net.javacrumbs.shedlock.core..");

    @ArchTest
    static final ArchRule PROPERTIES_RULE = mayUse(
            AUTOCONFIGURE,
            API,
            AUTOCONFIGURE + ".startup",
            TABLES,
            INTERNAL + ".assembly",
            INTERNAL + ".connection",
            INTERNAL + ".failure",
            INTERNAL + ".properties",
            INTERNAL + ".proxies",
            INTERNAL + ".startup",
            INTERNAL + ".text",
            INTERNAL + ".time",
            DRIVER,
            SPRING);

    @ArchTest
    static final ArchRule START_RULE = concern(
            "startup",
            INTERNAL + ".assembly",
            INTERNAL + ".cassandra",
            INTERNAL + ".connection",
            INTERNAL + ".failure",
            INTERNAL + ".startup",
            DRIVER,
            "org.springframework.boot.diagnostics..",
            SPRING_DATA);

    @ArchTest
    static final ArchRule SESSION_RULE = concern(
            "session",
            AUTOCONFIGURE,
            INTERNAL + ".assembly",
            INTERNAL + ".cassandra",
            INTERNAL + ".startup",
            DRIVER,
            "org.springframework.aop.framework..",
            SPRING_DATA);

    @ArchTest
    static final ArchRule SCHEDULER_RULE = concern(
            "scheduler",
            AUTOCONFIGURE,
            INTERNAL + ".startup",
            INTERNAL + ".scheduling",
            "org.springframework.scheduling..");

    @ArchTest
    static final ArchRule NOTICES_RULE = concern(
            "notices",
            AUTOCONFIGURE,
            AUTOCONFIGURE + ".session",
            TABLES,
            INTERNAL + ".assembly",
            INTERNAL + ".counter",
            INTERNAL + ".netty",
            INTERNAL + ".notice",
            DRIVER,
            "io.netty.handler.ssl..",
            "javax.net.ssl..",
            "org.springframework.boot.ssl..");

    @ArchTest
    static final ArchRule MAJORITY_RULE = concern(
            "majority",
            AUTOCONFIGURE,
            AUTOCONFIGURE + ".session",
            AUTOCONFIGURE + ".startup",
            TABLES,
            INTERNAL + ".assembly",
            INTERNAL + ".cassandra",
            INTERNAL + ".connection",
            INTERNAL + ".failure",
            INTERNAL + ".lazy",
            INTERNAL + ".majority",
            INTERNAL + ".startup",
            INTERNAL + ".store",
            INTERNAL + ".ticket",
            DRIVER);

    @ArchTest
    static final ArchRule LOCKER_RULE = concern(
            "locker",
            AUTOCONFIGURE,
            AUTOCONFIGURE + ".majority",
            AUTOCONFIGURE + ".notices",
            AUTOCONFIGURE + ".scheduler",
            AUTOCONFIGURE + ".session",
            AUTOCONFIGURE + ".startup",
            TABLES,
            INTERNAL + ".assembly",
            INTERNAL + ".cassandra",
            INTERNAL + ".connection",
            INTERNAL + ".counter",
            INTERNAL + ".driver",
            INTERNAL + ".inspect",
            INTERNAL + ".lazy",
            INTERNAL + ".locker..",
            INTERNAL + ".notice",
            INTERNAL + ".startup",
            INTERNAL + ".text",
            INTERNAL + ".ticket..",
            API + ".inspect",
            DRIVER,
            "org.crac..",
            "org.springframework.boot.context.properties..",
            "org.springframework.util..",
            SPRING_DATA);

    @ArchTest
    static final ArchRule METERS_RULE = concern(
            "meters",
            AUTOCONFIGURE,
            AUTOCONFIGURE + ".locker",
            OBSERVATION,
            INTERNAL + ".aop",
            INTERNAL + ".counter",
            INTERNAL + ".locker",
            INTERNAL + ".observation",
            MICROMETER);

    @ArchTest
    static final ArchRule OPERATOR_RULE = concern(
            "operator",
            AUTOCONFIGURE,
            AUTOCONFIGURE + ".locker",
            INTERNAL + ".actuate",
            INTERNAL + ".assembly",
            INTERNAL + ".endpoint",
            API + ".inspect",
            INTERNAL + ".inspect",
            INTERNAL + ".lazy",
            INTERNAL + ".locker",
            INTERNAL + ".majority",
            INTERNAL + ".migration",
            INTERNAL + ".ticket.operator",
            "jakarta.servlet..",
            "org.springframework.boot.actuate..",
            "org.springframework.boot.health..",
            "org.springframework.web.server..");

    @ArchTest
    static final ArchRule ANNOTATION_RULE = concern(
            "annotation",
            AUTOCONFIGURE,
            REACTOR,
            INTERNAL + ".aop",
            INTERNAL + ".locker",
            INTERNAL + ".transactionlistener",
            "org.springframework.aop.config..",
            "org.springframework.boot..",
            "org.springframework.util..",
            "reactor..");

    @ArchTest
    static final ArchRule ADAPTERS_RULE = concern(
            "adapters",
            AUTOCONFIGURE,
            INTERNAL + ".integration",
            INTERNAL + ".shedlock",
            "net.javacrumbs.shedlock.core..",
            "org.springframework.boot.context..",
            "org.springframework.integration.support.locks..");

    /** A package below that of the auto-configuration may use these, and what each of them needs to declare beans. */
    private static ArchRule concern(String name, String... others) {
        Stream<String> declaringBeans = Stream.of(
                API,
                API + ".spi",
                INTERNAL + ".properties",
                INTERNAL + ".time",
                "org.springframework.beans..",
                "org.springframework.boot.autoconfigure..",
                "org.springframework.context..",
                "org.springframework.core..");
        return mayUse(
                AUTOCONFIGURE + "." + name,
                Stream.concat(declaringBeans, Stream.of(others)).toArray(String[]::new));
    }

    @ArchTest
    static final ArchRule NO_PACKAGE_USES_AUTOCONFIGURE = noClasses()
            .that()
            .resideOutsideOfPackage(AUTOCONFIGURE + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(AUTOCONFIGURE + "..");

    @ArchTest
    static final ArchRule WHAT_IS_NOT_API_IS_INTERNAL = classes()
            .that()
            .arePublic()
            .and()
            .resideOutsideOfPackages(
                    API,
                    API + ".inspect",
                    API + ".spi",
                    API + ".shedlock",
                    API + ".builder",
                    TABLES,
                    OBSERVATION,
                    REACTOR,
                    AUTOCONFIGURE + "..")
            .should()
            .resideInAPackage(INTERNAL + "..");

    /** Its hundreds of constants would delay each start. */
    @ArchTest
    static final ArchRule NO_TYPED_OPTION_OF_THE_DRIVER_IS_USED =
            noClasses().should().dependOnClassesThat().belongToAnyOf(TypedDriverOption.class);

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
    static final ArchRule NO_CYCLES = slices().matching(API + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule CLASS_CYCLES = Structure.classCycles(3);

    @ArchTest
    static final ArchRule PACKAGE_CYCLES = Structure.packageCycles(0);

    @ArchTest
    static final ArchRule LONGEST_CLASS = Structure.longestFile(450);

    /** What the application implements, and hooks between configurations. */
    @ArchTest
    static final ArchRule CALLBACKS = Structure.callbacks(
            API + "..",
            "CassandraLockProviders",
            "LockHoldObservationConvention",
            "LockWaitObservationConvention",
            "LockerHook",
            "ReactiveCurrentLock");
}
