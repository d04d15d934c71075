package io.github.cassandralock.internal.key;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.ast.SpelNodeImpl;

/** A value that needs no evaluation: a text between a template's expressions, or an operand that was evaluated before. */
final class KnownValue extends SpelNodeImpl {

    private final TypedValue value;

    KnownValue(@Nullable Object value) {
        super(0, 0);
        this.value = new TypedValue(value);
    }

    @Override
    public TypedValue getValueInternal(ExpressionState state) {
        return value;
    }

    @Override
    public String toStringAST() {
        return String.valueOf(value.getValue());
    }
}
