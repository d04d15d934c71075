package io.github.cassandralock.internal.key;

import java.util.stream.IntStream;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.SpelNodeImpl;

/**
 * A {@code +} of a key. SpEL's own writes null as "null" and calls {@code toString} of any object. It adds two numbers whose author
 * meant to join them.
 */
final class CheckedPlus extends SpelNodeImpl {

    private final SpelNode left;
    private final SpelNode right;
    private final Sums sums;

    /** @param plus has two operands */
    CheckedPlus(OpPlus plus, Sums sums) {
        super(plus.getStartPosition(), plus.getEndPosition(), (SpelNodeImpl) plus.getChild(0), (SpelNodeImpl)
                plus.getChild(1));
        this.left = plus.getChild(0);
        this.right = plus.getChild(1);
        this.sums = sums;
    }

    @Override
    public TypedValue getValueInternal(ExpressionState state) {
        Object first = operand(left, state);
        Object second = operand(right, state);
        if (first instanceof Number && second instanceof Number) {
            return sum(first, second, state);
        }
        if (KeyParts.isText(first) || KeyParts.isText(second)) {
            return new TypedValue(KeyParts.text(first, name(left)) + KeyParts.text(second, name(right)));
        }
        throw joinedWithoutText(toStringAST() + " joins two parts, none of which is a text");
    }

    private static Object operand(SpelNode node, ExpressionState state) {
        return KeyParts.reduced(node.getValue(state), name(node));
    }

    /** SpEL adds them, by its rules for numbers of different types. */
    private TypedValue sum(Object first, Object second, ExpressionState state) {
        if (sums == Sums.MISTAKES && !isLiteral(left) && !isLiteral(right)) {
            throw joinedWithoutText(toStringAST() + " is the sum of two numbers, which other numbers have, too");
        }
        return new OpPlus(getStartPosition(), getEndPosition(), new KnownValue(first), new KnownValue(second))
                .getValueInternal(state);
    }

    private UnusablePartException joinedWithoutText(String problem) {
        return new UnusablePartException(problem, "Put a text between them: " + name(left) + " + ':' + " + name(right));
    }

    /** A number that the key itself contains, perhaps with a sign or computed from others. */
    private static boolean isLiteral(SpelNode node) {
        boolean computed = node instanceof Operator || node instanceof CheckedPlus;
        return node instanceof Literal
                || (computed
                        && IntStream.range(0, node.getChildCount()).allMatch(child -> isLiteral(node.getChild(child))));
    }

    private static String name(SpelNode node) {
        return CheckedElements.text(node);
    }

    @Override
    public String toStringAST() {
        return name(left) + " + " + name(right);
    }
}
