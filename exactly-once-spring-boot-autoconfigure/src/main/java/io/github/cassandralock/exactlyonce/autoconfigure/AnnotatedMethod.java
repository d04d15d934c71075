package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.table.jdbc.TableEffect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.ReflectionUtils;

/**
 * A method with {@code @ExactlyOnce} that can be called.
 *
 * @param queue from which it takes messages
 * @param maxMessages of one transaction
 * @param bean on which it is called; perhaps a proxy
 * @param method of the bean
 * @param takesList whether it takes all messages of a transaction at once
 * @param codec of a message
 */
record AnnotatedMethod(String queue, int maxMessages, Object bean, Method method, boolean takesList, Codec<?> codec)
        implements TableEffect {

    AnnotatedMethod {
        ReflectionUtils.makeAccessible(method);
    }

    @Override
    public void apply(Connection connection, List<Bytes> payloads) throws Exception {
        List<Object> messages = new ArrayList<>();
        for (Bytes payload : payloads) {
            messages.add(payload.as(codec));
        }
        if (takesList) {
            call(messages);
            return;
        }
        for (Object message : messages) {
            call(message);
        }
    }

    private void call(Object argument) throws Exception {
        try {
            method.invoke(bean, argument);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }
}
