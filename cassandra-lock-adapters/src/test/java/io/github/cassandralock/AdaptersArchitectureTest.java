package io.github.cassandralock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.github.cassandralock.internal.structure.Structure.mayUse;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.cassandralock.internal.structure.Structure;

/** The table of this module's packages in docs/architecture.md. */
@AnalyzeClasses(packages = "io.github.cassandralock", importOptions = ImportOption.DoNotIncludeTests.class)
class AdaptersArchitectureTest {

    private static final String API = "io.github.cassandralock";
    private static final String INTERNAL = API + ".internal";
    private static final String TABLES = API + ".cassandra";
    private static final String DRIVER = "com.datastax.oss.driver..";

    /** Of startup-support, programs without Spring load one package. */
    @ArchTest
    static final ArchRule NO_SPRING = noClasses()
            .that()
            .resideOutsideOfPackages(
                    INTERNAL + ".connection",
                    INTERNAL + ".endpoint",
                    INTERNAL + ".failure",
                    INTERNAL + ".properties",
                    INTERNAL + ".proxies",
                    INTERNAL + ".transactionlistener")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework..",
                    INTERNAL + ".connection",
                    INTERNAL + ".endpoint",
                    INTERNAL + ".failure",
                    INTERNAL + ".properties",
                    INTERNAL + ".proxies",
                    INTERNAL + ".transactionlistener");

    @ArchTest
    static final ArchRule TABLES_RULE = mayUse(TABLES, DRIVER, "javax.net.ssl..");

    @ArchTest
    static final ArchRule CASSANDRA_RULE = mayUse(
            INTERNAL + ".cassandra",
            API,
            API + ".spi",
            TABLES,
            API + ".inspect",
            INTERNAL + ".inspect",
            INTERNAL + ".majority",
            INTERNAL + ".quorum",
            INTERNAL + ".startup",
            INTERNAL + ".store",
            INTERNAL + ".time",
            INTERNAL + ".text",
            INTERNAL + ".thesis.lease",
            INTERNAL + ".thesis.time",
            DRIVER);

    @ArchTest
    static final ArchRule NETTY_RULE = mayUse(
            INTERNAL + ".netty",
            INTERNAL + ".counter",
            INTERNAL + ".notice",
            INTERNAL + ".time",
            INTERNAL + ".text",
            "javax.net.ssl..",
            "io.netty..");

    @ArchTest
    static final ArchRule DRIVER_RULE =
            mayUse(INTERNAL + ".driver", API, INTERNAL + ".time", INTERNAL + ".text", DRIVER);

    @ArchTest
    static final ArchRule ASSEMBLY_RULE = mayUse(
            INTERNAL + ".assembly",
            API,
            API + ".spi",
            TABLES,
            INTERNAL + "..",
            DRIVER,
            "io.netty..",
            "javax.net.ssl..");

    @ArchTest
    static final ArchRule BUILDER_RULE =
            mayUse(API + ".builder", API, API + ".spi", TABLES, INTERNAL + "..", DRIVER, "javax.net.ssl..");

    @ArchTest
    static final ArchRule NO_INTERNAL_PACKAGE_USES_THE_BUILDER = noClasses()
            .that()
            .resideInAPackage(INTERNAL + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(API + ".builder");

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(API + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule CLASS_CYCLES = Structure.classCycles(3);

    @ArchTest
    static final ArchRule PACKAGE_CYCLES = Structure.packageCycles(0);

    @ArchTest
    static final ArchRule LONGEST_CLASS = Structure.longestFile(450);

    @ArchTest
    static final ArchRule CALLBACKS = Structure.callbacks(API + "..", "CloseableLocker", "CqlPort");
}
