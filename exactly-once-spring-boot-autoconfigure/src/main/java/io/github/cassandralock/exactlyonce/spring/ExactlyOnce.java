package io.github.cassandralock.exactlyonce.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that takes the messages of a queue in the application's database. Each message takes effect once. The method
 * runs in a transaction of the application's {@code PlatformTransactionManager}, which also deletes the message. What a {@code
 * JdbcTemplate}, JPA, jOOQ or a {@code @Transactional} method writes there is committed with the deletion, or not at all.
 *
 * <p>The method has one parameter, the message. Its type is {@code String}, {@code byte[]}, or one for which the application has a
 * {@link io.github.cassandralock.exactlyonce.bytes.Codec} bean. With a {@code List} of such a type as the parameter, the method
 * gets all messages of a transaction at once. It returns nothing. If it throws, the transaction is rolled back, and the message is
 * tried again after a pause. Only later messages of its lane wait for it ({@link MessagePusher#pushInOrder}). The method may run
 * several times for a message, so it does nothing outside of the transaction.
 *
 * <p>All instances of the application take messages at the same time. Only messages of {@link MessagePusher#pushInOrder} have an
 * order.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ExactlyOnce {

    /**
     * The name of the queue. Only one method of an application has it. {@link MessagePusher} pushes to it.
     *
     * @return the name, or a placeholder such as <code>${orders.queue}</code>
     */
    String queue();

    /**
     * How many messages one transaction takes at most. More are quicker, and are rolled back together.
     *
     * @return a number from 1 to 10,000
     */
    int maxMessages() default 10;
}
