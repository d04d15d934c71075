package io.github.cassandralock.internal.key;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.ConstructorExecutor;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.support.ReflectiveConstructorExecutor;
import org.springframework.expression.spel.support.ReflectiveConstructorResolver;

/** Finds the constructors that a key calls as SpEL does, and checks what enters the text by them. Thread-safe. */
final class CheckedConstructors extends ReflectiveConstructorResolver {

    @Override
    public @Nullable ConstructorExecutor resolve(
            EvaluationContext context, String typeName, List<TypeDescriptor> argumentTypes) throws AccessException {
        ConstructorExecutor found = super.resolve(context, typeName, argumentTypes);
        return found instanceof ReflectiveConstructorExecutor reflective
                ? (evaluation, arguments) ->
                        found.execute(evaluation, CheckedArguments.of(reflective.getConstructor(), arguments))
                : found;
    }
}
