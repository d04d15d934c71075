package io.github.cassandralock.internal.structure;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Rules about all main classes of the module whose tests run, each with a figure that is printed and limited. */
final class FigureRule extends ArchCondition<JavaClass> {

    /**
     * What was found.
     *
     * @param figure what is limited
     * @param details of what it consists, or where it is
     */
    record Finding(int figure, String details) {}

    private static final String MAIN_CLASSES =
            Path.of("target", "classes").toAbsolutePath().normalize().toUri().getPath();

    private final int most;
    private final Function<List<JavaClass>, Finding> figure;
    private final List<JavaClass> ofThisModule = new ArrayList<>();

    private FigureRule(String what, int most, Function<List<JavaClass>, Finding> figure) {
        super(what + " is at most %d", most);
        this.most = most;
        this.figure = figure;
    }

    static ArchRule of(String what, int most, Function<List<JavaClass>, Finding> figure) {
        return ArchRuleDefinition.classes().should(new FigureRule(what, most, figure));
    }

    @Override
    public void init(Collection<JavaClass> all) {
        ofThisModule.clear();
        all.stream().filter(FigureRule::isOfThisModule).forEach(ofThisModule::add);
    }

    private static boolean isOfThisModule(JavaClass type) {
        return type.getSource()
                .map(source -> source.getUri().getPath())
                .filter(path -> path != null && path.startsWith(MAIN_CLASSES))
                .isPresent();
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        // The figure is one of all classes.
    }

    @Override
    @SuppressWarnings("PMD.SystemPrintln")
    public void finish(ConditionEvents events) {
        Finding found = figure.apply(ofThisModule);
        String line =
                String.format(Locale.ROOT, "%s, and is %d: %s", getDescription(), found.figure(), found.details());
        System.out.println(line);
        events.add(new SimpleConditionEvent(ofThisModule, found.figure() <= most && !ofThisModule.isEmpty(), line));
    }
}
