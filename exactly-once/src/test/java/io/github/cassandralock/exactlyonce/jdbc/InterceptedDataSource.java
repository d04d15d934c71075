package io.github.cassandralock.exactlyonce.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source whose calls a test sees, and may make fail: its own, those of its connections and of their statements. */
public final class InterceptedDataSource {

    /** What the real object does. */
    public interface Call {
        @Nullable
        Object proceed() throws Throwable;
    }

    /** Called in place of each method. */
    public interface Interceptor {
        /**
         * @param method its name
         * @param sql of the statement; empty if it has none, or is no statement
         */
        @Nullable
        Object around(String method, String sql, Call call) throws Throwable;
    }

    private InterceptedDataSource() {}

    public static DataSource of(DataSource source, Interceptor interceptor) {
        return wrapped(source, DataSource.class, "", interceptor);
    }

    private static <T> T wrapped(T object, Class<T> type, String sql, Interceptor interceptor) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    String ofCall = arguments != null && arguments.length > 0 && arguments[0] instanceof String text
                            ? text
                            : sql;
                    Object result = interceptor.around(method.getName(), ofCall, () -> {
                        try {
                            return method.invoke(object, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
                    return wrappedResult(result, ofCall, interceptor);
                }));
    }

    private static @Nullable Object wrappedResult(@Nullable Object result, String sql, Interceptor interceptor) {
        if (result instanceof Connection connection) {
            return wrapped(connection, Connection.class, "", interceptor);
        }
        if (result instanceof PreparedStatement statement) {
            return wrapped(statement, PreparedStatement.class, sql, interceptor);
        }
        return result instanceof Statement statement ? wrapped(statement, Statement.class, "", interceptor) : result;
    }
}
