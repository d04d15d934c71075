package io.github.cassandralock.internal.key;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.ReflectiveMethodExecutor;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;

/** Finds the methods that a key calls as SpEL does, and checks what enters the text by them. Thread-safe. */
final class CheckedMethods extends ReflectiveMethodResolver {

    @Override
    public @Nullable MethodExecutor resolve(
            EvaluationContext context, Object target, String name, List<TypeDescriptor> argumentTypes)
            throws AccessException {
        MethodExecutor found = super.resolve(context, target, name, argumentTypes);
        return found instanceof ReflectiveMethodExecutor reflective
                ? new CheckedCall(reflective, reflective.getMethod())
                : found;
    }

    private record CheckedCall(MethodExecutor call, Method method) implements MethodExecutor {

        @Override
        public TypedValue execute(EvaluationContext context, Object target, @Nullable Object... arguments)
                throws AccessException {
            if (arguments.length == 0 && method.getName().equals("toString")) {
                return text(context, target);
            }
            if (arguments.length == 0 && method.getName().equals("hashCode")) {
                requireStableHash(target);
            }
            @Nullable Object[] checked = CheckedArguments.of(method, arguments);
            Optional<String> text = RootLocaleText.of(method, target, checked);
            if (text.isPresent()) {
                return new TypedValue(text.get());
            }
            TypedValue result = call.execute(context, target, checked);
            if (target instanceof BaseStream && result.getValue() instanceof CharSequence) {
                throw new UnusablePartException(
                        method.getName() + "(…) makes a text of a stream, whose elements are not checked",
                        "Use a List, as in T(String).join(':', {#a, #b})");
            }
            return result;
        }

        /** A key may request the text of an application's object, if the object has a text of its own. */
        private TypedValue text(EvaluationContext context, Object target) throws AccessException {
            boolean meant = target instanceof StringJoiner || PartAdvice.hasOwnText(target.getClass());
            boolean part = PartTypes.isPlain(target.getClass())
                    || target instanceof Collection
                    || PartTypes.component(target.getClass()).isPresent();
            return meant && !part
                    ? call.execute(context, target)
                    : new TypedValue(KeyParts.text(target, "what toString() is called on"));
        }

        /**
         * The hash of an enum constant, or of an object whose class does not override {@code hashCode}, differs between processes. The
         * hash of a collection or of a record may be made of such hashes.
         */
        private void requireStableHash(Object target) {
            boolean stable = PartTypes.isPlain(target.getClass())
                    && !(target instanceof Enum)
                    && method.getDeclaringClass() != Object.class;
            if (!stable) {
                throw UnusablePartException.ofProcess(
                        "hashCode() of a " + target.getClass().getTypeName());
            }
        }
    }
}
