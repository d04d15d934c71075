package io.github.cassandralock.internal.key;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.ValueRef;

/**
 * A projection or a selection of a key. SpEL's own makes a list also of what has no order, such as a set: the text of that list would be
 * another one in each process.
 */
final class CheckedElements extends SpelNodeImpl {

    private final SpelNodeImpl elements;

    /** @param elements a projection or a selection, which has one child */
    CheckedElements(SpelNodeImpl elements) {
        super(elements.getStartPosition(), elements.getEndPosition(), (SpelNodeImpl) elements.getChild(0));
        this.elements = elements;
    }

    @Override
    public TypedValue getValueInternal(ExpressionState state) {
        Object all = state.getActiveContextObject().getValue();
        TypedValue made = elements.getValueInternal(state);
        return made.getValue() instanceof List<?> list && !isInOrder(all)
                ? new TypedValue(Collections.unmodifiableCollection(list))
                : made;
    }

    private static boolean isInOrder(@Nullable Object all) {
        return all instanceof List || (all != null && all.getClass().isArray());
    }

    @Override
    protected ValueRef getValueRef(ExpressionState state) {
        return new ValueRef.TypedValueHolderValueRef(getValueInternal(state), this);
    }

    @Override
    public String toStringAST() {
        return elements.toStringAST();
    }
}
