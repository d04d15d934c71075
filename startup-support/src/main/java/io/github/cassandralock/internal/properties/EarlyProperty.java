package io.github.cassandralock.internal.properties;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** Reads a property before the bean of its properties exists. */
public final class EarlyProperty {

    private EarlyProperty() {}

    /**
     * Returns the value that the bean of the properties will have.
     *
     * @param absent the value if the property is not set
     */
    public static <T> T value(Environment environment, String name, Class<T> type, T absent) {
        return value(environment, name, type, absent, BindHandler.DEFAULT);
    }

    /**
     * Returns the value that the bean of the properties will have. A binder searches the names of all properties. It is used only
     * for a property that is set.
     *
     * @param absent the value if the property is not set
     * @param handler checks the value
     */
    static <T> T value(Environment environment, String name, Class<T> type, T absent, BindHandler handler) {
        return isSet(environment, ConfigurationPropertyName.of(name))
                ? Binder.get(environment).bind(name, Bindable.of(type), handler).orElse(absent)
                : absent;
    }

    private static boolean isSet(Environment environment, ConfigurationPropertyName name) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getConfigurationProperty(name) != null) {
                return true;
            }
        }
        return false;
    }
}
