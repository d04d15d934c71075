package io.github.cassandralock.exactlyonce.sink.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose transaction only the sink ends. Its statements, results and metadata return this connection, not the real one.
 */
final class GuardedConnection {

    /** Methods that would end the transaction, or change its properties. */
    private static final Set<String> FORBIDDEN = Set.of(
            "commit",
            "rollback",
            "close",
            "abort",
            "setAutoCommit",
            "setSavepoint",
            "releaseSavepoint",
            "setTransactionIsolation",
            "setReadOnly",
            "setNetworkTimeout",
            "unwrap");

    /** Results that lead to a connection. Each class precedes the classes that it extends. */
    private static final List<Class<?>> LEADING_BACK = List.of(
            CallableStatement.class, PreparedStatement.class, Statement.class, ResultSet.class, DatabaseMetaData.class);

    private final String sink;
    private final Connection guarded;

    private GuardedConnection(Connection real, String sink) {
        this.sink = sink;
        this.guarded = proxy(Connection.class, (method, arguments) -> {
            requireAllowed(method, FORBIDDEN);
            return called(real, method, arguments);
        });
    }

    static Connection of(Connection real, String sink) {
        return new GuardedConnection(real, sink).guarded;
    }

    private interface Call {
        @Nullable
        Object of(Method method, Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                GuardedConnection.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.of(method, arguments)));
    }

    private void requireAllowed(Method method, Set<String> forbidden) {
        if (forbidden.contains(method.getName())) {
            throw new IllegalStateException("The sink '" + sink
                    + "' ends its transaction and sets it up itself, so that index and effect are committed together."
                    + " Do not call " + method.getName());
        }
    }

    private @Nullable Object called(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            Object result = method.invoke(real, arguments);
            return LEADING_BACK.stream()
                    .filter(type -> type.isInstance(result))
                    .findFirst()
                    .<Object>map(type -> leadingBack(type, result))
                    .orElse(result);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private <T> T leadingBack(Class<T> type, Object real) {
        return proxy(type, (method, arguments) -> {
            requireAllowed(method, Set.of("unwrap"));
            return method.getName().equals("getConnection") ? guarded : called(real, method, arguments);
        });
    }
}
