package io.github.cassandralock.exactlyonce.autoconfigure;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/**
 * The bean of a type that a property names, or the application's only or primary one.
 *
 * @param property that names it, below {@code exactly-once}
 * @param keeps what it keeps, for people
 */
record ChosenBean<T>(Class<T> type, String property, String keeps, ListableBeanFactory beans) {

    /**
     * Returns the bean. Does no I/O.
     *
     * @param name that the property has; null if it is not set
     * @param none the failure if the application has no bean of the type
     * @throws InvalidExactlyOncePropertyException if no bean has the name, or if there are several and none is chosen
     */
    T get(@Nullable String name, Function<NoSuchBeanDefinitionException, InvalidExactlyOncePropertyException> none) {
        if (name != null) {
            return named(name);
        }
        try {
            return beans.getBean(type);
        } catch (NoUniqueBeanDefinitionException e) {
            throw new InvalidExactlyOncePropertyException(
                    property,
                    "",
                    "the application has several " + type.getSimpleName() + " beans and none of them is primary: "
                            + names(),
                    "Name the one that keeps " + keeps + " in application.yml, for example 'exactly-once." + property
                            + ": " + beans.getBeanNamesForType(type)[0] + "', or annotate one with @Primary.",
                    e);
        } catch (NoSuchBeanDefinitionException e) {
            throw none.apply(e);
        }
    }

    /** @throws InvalidExactlyOncePropertyException if no bean of the type has the name */
    T named(String name) {
        try {
            return beans.getBean(name, type);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw new InvalidExactlyOncePropertyException(
                    property,
                    name,
                    "the application has no " + type.getSimpleName() + " bean of this name; it has " + names(),
                    "Correct the name in application.yml.",
                    e);
        }
    }

    private String names() {
        return InvalidExactlyOncePropertyException.list(List.of(beans.getBeanNamesForType(type)));
    }
}
