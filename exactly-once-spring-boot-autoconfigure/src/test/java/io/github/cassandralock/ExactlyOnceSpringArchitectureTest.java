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
class ExactlyOnceSpringArchitectureTest {

    private static final String API = "io.github.cassandralock";
    private static final String INTERNAL = API + ".internal";
    private static final String EXACTLY_ONCE = API + ".exactlyonce";
    private static final String SPRING = "org.springframework..";

    @ArchTest
    static final ArchRule DECLARATIONS_RULE = mayUse(
            EXACTLY_ONCE + ".spring",
            EXACTLY_ONCE + ".handler",
            EXACTLY_ONCE + ".queue",
            EXACTLY_ONCE + ".register",
            EXACTLY_ONCE + ".sink",
            EXACTLY_ONCE + ".sink.jdbc",
            EXACTLY_ONCE + ".table",
            INTERNAL + ".transactions",
            "org.springframework.dao..",
            "org.springframework.jdbc..",
            "org.springframework.transaction..",
            "javax.sql..");

    @ArchTest
    static final ArchRule TRANSACTIONS_RULE = mayUse(
            INTERNAL + ".transactions", EXACTLY_ONCE + ".jdbc", EXACTLY_ONCE + ".register", SPRING, "javax.sql..");

    @ArchTest
    static final ArchRule COPIES_RULE = mayUse(
            INTERNAL + ".exactlyonce",
            EXACTLY_ONCE + ".spring",
            EXACTLY_ONCE + ".handler",
            EXACTLY_ONCE + ".sink",
            EXACTLY_ONCE + ".queue",
            EXACTLY_ONCE + ".register",
            EXACTLY_ONCE + ".copy",
            EXACTLY_ONCE + ".table",
            EXACTLY_ONCE + ".time",
            INTERNAL + ".startup",
            "org.springframework.context..");

    @ArchTest
    static final ArchRule METRICS_RULE =
            mayUse(INTERNAL + ".metrics", INTERNAL + ".exactlyonce", EXACTLY_ONCE + ".queue", "io.micrometer..");

    @ArchTest
    static final ArchRule ENDPOINT_RULE = mayUse(
            INTERNAL + ".exactlyonce.endpoint",
            INTERNAL + ".endpoint",
            INTERNAL + ".exactlyonce",
            EXACTLY_ONCE + ".handler",
            EXACTLY_ONCE + ".queue",
            "org.springframework.aot.hint..",
            "org.springframework.boot..",
            "org.springframework.lang..");

    @ArchTest
    static final ArchRule NO_PACKAGE_USES_AUTOCONFIGURE = noClasses()
            .that()
            .resideOutsideOfPackage(EXACTLY_ONCE + ".autoconfigure")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(EXACTLY_ONCE + ".autoconfigure");

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(API + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule CLASS_CYCLES = Structure.classCycles(3);

    @ArchTest
    static final ArchRule PACKAGE_CYCLES = Structure.packageCycles(0);

    @ArchTest
    static final ArchRule LONGEST_CLASS = Structure.longestFile(450);

    @ArchTest
    static final ArchRule CALLBACKS =
            Structure.callbacks(API + "..", "HandlerBuilders.Configuration", "SinkTransactions");
}
