package io.github.cassandralock.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches if there is no such bean in the application's context and its parents. For a named locker, only its own beans count. A
 * named locker does not step back for the beans of another locker. A bean that the application defines with the name of a named
 * locker belongs to that locker. A bean that is no candidate for injection by type does not count.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnMissingLockBean.class)
public @interface ConditionalOnMissingLockBean {

    /**
     * The types of the beans.
     *
     * @return none to look for the name
     */
    Class<?>[] value() default {};

    /**
     * The name of the bean.
     *
     * @return blank to look for types
     */
    String name() default "";
}
