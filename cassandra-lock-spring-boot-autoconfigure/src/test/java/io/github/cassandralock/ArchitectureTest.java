package io.github.cassandralock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

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
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Random;

/** The table of packages in docs/architecture.md. */
@AnalyzeClasses(packages = "io.github.cassandralock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "io.github.cassandralock";
    private static final String[] PLAIN = {"java..", "org.jspecify..", "org.slf4j.."};

    private static ArchRule mayUse(String name, String... others) {
        String[] allowed = new String[PLAIN.length + others.length + 1];
        System.arraycopy(PLAIN, 0, allowed, 0, PLAIN.length);
        System.arraycopy(others, 0, allowed, PLAIN.length, others.length);
        allowed[allowed.length - 1] = ROOT + name;
        return classes()
                .that()
                .resideInAPackage(ROOT + name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed);
    }

    @ArchTest
    static final ArchRule API = mayUse("");

    @ArchTest
    static final ArchRule SPI = mayUse(".spi", ROOT);

    @ArchTest
    static final ArchRule TEXT = mayUse(".text", ROOT + ".spi");

    @ArchTest
    static final ArchRule STEPS = mayUse(".steps", ROOT + ".spi");

    @ArchTest
    static final ArchRule SESSION = mayUse(".session", ROOT, ROOT + ".spi", ROOT + ".text", ROOT + ".steps");

    @ArchTest
    static final ArchRule TICKET =
            mayUse(".ticket", ROOT, ROOT + ".spi", ROOT + ".text", ROOT + ".steps", ROOT + ".session");

    @ArchTest
    static final ArchRule LOCKER = mayUse(".locker", ROOT, ROOT + ".spi", ROOT + ".text");

    @ArchTest
    static final ArchRule THESIS_LEASE = mayUse(".thesis.lease", ROOT, ROOT + ".spi", ROOT + ".text", ROOT + ".steps");

    @ArchTest
    static final ArchRule THESIS_TIME = mayUse(".thesis.time", ROOT, ROOT + ".spi");

    @ArchTest
    static final ArchRule THESIS_QUEUE = mayUse(
            ".thesis.queue",
            ROOT,
            ROOT + ".spi",
            ROOT + ".text",
            ROOT + ".steps",
            ROOT + ".thesis.lease",
            ROOT + ".thesis.time");

    @ArchTest
    static final ArchRule THESIS_SHADOW =
            mayUse(".thesis.shadow", ROOT, ROOT + ".spi", ROOT + ".text", ROOT + ".steps", ROOT + ".thesis.lease");

    @ArchTest
    static final ArchRule MIGRATION = mayUse(".migration", ROOT + ".spi", ROOT + ".steps");

    @ArchTest
    static final ArchRule CASSANDRA = mayUse(
            ".cassandra", ROOT, ROOT + ".spi", ROOT + ".text", "com.datastax.oss.driver..", "org.springframework..");

    @ArchTest
    static final ArchRule AOP =
            mayUse(".aop", ROOT, "org.springframework..", "org.aopalliance..", "reactor..", "org.reactivestreams..");

    @ArchTest
    static final ArchRule ACTUATE = mayUse(".actuate", ROOT, "org.springframework.boot..");

    @ArchTest
    static final ArchRule NOBODY_USES_AUTOCONFIGURE = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".autoconfigure")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".autoconfigure");

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule ALGORITHMS_KNOW_NO_WALL_CLOCK_AND_NEVER_SLEEP = noClasses()
            .that()
            .resideInAnyPackage(
                    ROOT + ".spi",
                    ROOT + ".steps",
                    ROOT + ".session",
                    ROOT + ".ticket",
                    ROOT + ".locker",
                    ROOT + ".migration",
                    ROOT + ".thesis..")
            .should()
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
                    return !type.getName().startsWith(ROOT + ".spi.Ticker");
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
}
