package io.github.cassandralock.internal.properties;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Whether a boolean property is on, or off with {@link #is()}, in any spelling that binds to a boolean: {@code true}, {@code on},
 * {@code yes}, {@code 1}, and {@code false}, {@code off}, {@code no}, {@code 0}. Spring Boot's own conditions compare texts, so
 * {@code off} is neither for them. Any other value stops the application at the start.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnSwitch.class)
public @interface ConditionalOnSwitch {

    /** The full name of the property, in kebab case. */
    String property();

    /** A property that decides if {@link #property()} is not set; empty for none. */
    String otherwise() default "";

    /** The value if neither property is set. */
    boolean byDefault();

    /** The value for which the condition holds. */
    boolean is() default true;
}
