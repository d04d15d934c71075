package io.github.cassandralock;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.github.cassandralock.internal.structure.Structure.mayUse;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.cassandralock.internal.structure.Structure;

/** The table of this module's packages in docs/architecture.md. */
@AnalyzeClasses(packages = "io.github.cassandralock", importOptions = ImportOption.DoNotIncludeTests.class)
class StartupArchitectureTest {

    private static final String API = "io.github.cassandralock";
    private static final String INTERNAL = API + ".internal";
    private static final String DRIVER = "com.datastax.oss.driver..";
    private static final String SPRING = "org.springframework..";

    @ArchTest
    static final ArchRule STARTUP_RULE = mayUse(INTERNAL + ".startup", DRIVER);

    @ArchTest
    static final ArchRule QUORUM_RULE = mayUse(INTERNAL + ".quorum", INTERNAL + ".startup", DRIVER);

    @ArchTest
    static final ArchRule FAILURE_RULE = mayUse(INTERNAL + ".failure", INTERNAL + ".startup", SPRING);

    @ArchTest
    static final ArchRule PROPERTIES_RULE =
            mayUse(INTERNAL + ".properties", INTERNAL + ".startup", INTERNAL + ".failure", DRIVER, SPRING);

    @ArchTest
    static final ArchRule CONNECTION_RULE = mayUse(
            INTERNAL + ".connection",
            INTERNAL + ".startup",
            INTERNAL + ".failure",
            INTERNAL + ".properties",
            DRIVER,
            SPRING);

    @ArchTest
    static final ArchRule ENDPOINT_RULE = mayUse(
            INTERNAL + ".endpoint",
            INTERNAL + ".properties",
            SPRING,
            "jakarta.servlet..",
            "org.reactivestreams..",
            "reactor.core.publisher..");

    @ArchTest
    static final ArchRule PROXIES_RULE = mayUse(INTERNAL + ".proxies", SPRING);

    @ArchTest
    static final ArchRule TRANSACTION_LISTENER_RULE = mayUse(INTERNAL + ".transactionlistener", SPRING);

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(API + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule CLASS_CYCLES = Structure.classCycles(3);

    @ArchTest
    static final ArchRule PACKAGE_CYCLES = Structure.packageCycles(0);

    @ArchTest
    static final ArchRule LONGEST_CLASS = Structure.longestFile(450);

    @ArchTest
    static final ArchRule CALLBACKS = Structure.callbacks(API + "..");
}
