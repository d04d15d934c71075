package io.github.cassandralock.internal.properties;

import io.github.cassandralock.internal.failure.InvalidPropertyException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Refuses durations without a unit in the properties below a prefix. Spring Boot reads them as milliseconds, but most of them mean
 * seconds. Other properties are left alone.
 */
public final class DurationUnits implements ConfigurationPropertiesBindHandlerAdvisor {

    private static final Pattern NUMBER_OTHER_THAN_ZERO = Pattern.compile("[+-]?[0-9]*[1-9][0-9]*");

    private final ConfigurationPropertyName prefix;

    /** @param prefix of the properties, for example {@code cassandra-lock} */
    public DurationUnits(String prefix) {
        this.prefix = ConfigurationPropertyName.of(prefix);
    }

    /** Whether a configured duration is a number without a unit. Zero needs no unit. */
    public static boolean areMissingIn(String duration) {
        return NUMBER_OTHER_THAN_ZERO.matcher(duration.strip()).matches();
    }

    /**
     * Returns a duration before the bean of its properties exists.
     *
     * @param absent the duration if the property is not set
     */
    public Duration early(Environment environment, String name, Duration absent) {
        return EarlyProperty.value(environment, name, Duration.class, absent, apply(BindHandler.DEFAULT));
    }

    @Override
    public BindHandler apply(BindHandler others) {
        return new AbstractBindHandler(others) {
            @Override
            public Object onSuccess(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                if (target.getType().resolve() == Duration.class && prefix.isAncestorOf(name)) {
                    requireUnit(name, context);
                }
                return super.onSuccess(name, target, context, result);
            }
        };
    }

    /** Binds the property as text: that resolves its placeholders, and makes a number in YAML a text. */
    private static void requireUnit(ConfigurationPropertyName name, BindContext context) {
        String text = context.getBinder()
                .bind(name, Bindable.of(String.class))
                .orElse("")
                .strip();
        if (areMissingIn(text)) {
            throw new InvalidPropertyException(
                    name.toString(),
                    text,
                    "has no unit, so it would be milliseconds: write '" + text + "s' or '" + text + "ms'",
                    InvalidPropertyException.setting(name.toString(), text + "s"),
                    null);
        }
    }
}
