package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Refuses durations without a unit in the properties of this library. Spring Boot takes them for milliseconds, and most of them are
 * meant as seconds. Properties of others are left alone.
 */
final class DurationUnits implements ConfigurationPropertiesBindHandlerAdvisor {

    private static final ConfigurationPropertyName LOCKS = ConfigurationPropertyName.of("cassandra-lock");
    private static final ConfigurationPropertyName EXACTLY_ONCE = ConfigurationPropertyName.of("exactly-once");

    /** For properties that are bound before their bean. */
    static BindHandler required() {
        return required(BindHandler.DEFAULT);
    }

    @Override
    public BindHandler apply(BindHandler others) {
        return required(others);
    }

    private static BindHandler required(BindHandler others) {
        return new AbstractBindHandler(others) {
            @Override
            public Object onSuccess(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                if (target.getType().resolve() == Duration.class) {
                    requireUnit(name, context);
                }
                return super.onSuccess(name, target, context, result);
            }
        };
    }

    /** Binds the property as text: its placeholders are resolved then, and a number in YAML is a text. */
    private static void requireUnit(ConfigurationPropertyName name, BindContext context) {
        if (!LOCKS.isAncestorOf(name) && !EXACTLY_ONCE.isAncestorOf(name)) {
            return;
        }
        String text = context.getBinder().bind(name, Bindable.of(String.class)).orElse("");
        if (DurationText.hasNoUnit(text)) {
            throw withoutUnit(name, text.strip());
        }
    }

    private static ExplainedException withoutUnit(ConfigurationPropertyName name, String text) {
        String why = "has no unit, so it would be milliseconds: write '" + text + "s' or '" + text + "ms'";
        String property = name.subName(1).toString();
        return LOCKS.isAncestorOf(name)
                ? new InvalidLockPropertyException(property, text, why, text + "s", null)
                : InvalidExactlyOncePropertyException.of(property, text, why, text + "s");
    }
}
