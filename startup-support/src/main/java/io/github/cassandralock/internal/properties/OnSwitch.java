package io.github.cassandralock.internal.properties;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition of {@link ConditionalOnSwitch}. It reads the value as the binding of properties does. */
public final class OnSwitch extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        MergedAnnotation<ConditionalOnSwitch> annotation =
                metadata.getAnnotations().get(ConditionalOnSwitch.class);
        String property = annotation.getString("property");
        String otherwise = annotation.getString("otherwise");
        boolean byDefault = annotation.getBoolean("byDefault");
        boolean on = isOn(
                context.getEnvironment(),
                property,
                otherwise.isEmpty() ? byDefault : isOn(context.getEnvironment(), otherwise, byDefault));
        return new ConditionOutcome(
                on == annotation.getBoolean("is"),
                ConditionMessage.forCondition(ConditionalOnSwitch.class)
                        .because("'" + property + "' is " + (on ? "on" : "off")));
    }

    /** Whether the property is on. */
    public static boolean isOn(Environment environment, String property, boolean byDefault) {
        return EarlyProperty.value(environment, property, Boolean.class, byDefault);
    }
}
