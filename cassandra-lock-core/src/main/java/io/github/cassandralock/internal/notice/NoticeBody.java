package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.store.ModeCode;
import io.github.cassandralock.internal.store.SlotId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The contents of a frame: the kind of the notice, the lock, and its numbers (notices, section 6). Without state. */
final class NoticeBody {

    private static final byte WAITING = 1;
    private static final byte TICKET = 2;
    private static final byte OVER = 3;
    private static final byte ASK = 4;
    private static final byte HELD = 5;
    private static final byte MODE = 6;

    private static final int SLOT_BYTES = Short.BYTES;
    private static final int FACT_BYTES = 16 + SLOT_BYTES + Long.BYTES + 1 + Long.BYTES;
    private static final int MOST_FACTS = 0xFFFF;

    private NoticeBody() {}

    /**
     * The length of the body in bytes.
     *
     * @param most a body with facts omits as many as needed to be no longer than this
     */
    static int length(Notice notice, byte[] lockId, int most) {
        int head = 1 + Short.BYTES + lockId.length;
        if (notice instanceof Notice.Over over) {
            int fitting = Math.min(MOST_FACTS, Math.max(1, (most - head - Short.BYTES) / FACT_BYTES));
            return head + Short.BYTES + Math.min(over.facts().size(), fitting) * FACT_BYTES;
        }
        return head + slots(notice) * SLOT_BYTES + numbers(notice);
    }

    /** How many bytes the attempts, tickets, questions and modes of a notice without facts need. */
    private static int numbers(Notice notice) {
        if (notice instanceof Notice.Mode) {
            return Long.BYTES + 1;
        }
        return notice instanceof Notice.Held ? Long.BYTES : 2 * Long.BYTES;
    }

    /** How many numbers of slots a notice without facts has. */
    private static int slots(Notice notice) {
        if (notice instanceof Notice.Waiting) {
            return 2;
        }
        return notice instanceof Notice.Held ? 0 : 1;
    }

    /** @param length from {@link #length} */
    static void write(ByteBuffer frame, Notice notice, byte[] lockId, int length) {
        if (notice instanceof Notice.Waiting waiting) {
            putSlot(head(frame, WAITING, lockId), waiting.slot()).putLong(waiting.attempt());
            putSlot(frame, waiting.senderSlot()).putLong(waiting.ticket());
        } else if (notice instanceof Notice.Ticket ticket) {
            putSlot(head(frame, TICKET, lockId), ticket.slot())
                    .putLong(ticket.attempt())
                    .putLong(ticket.ticket());
        } else if (notice instanceof Notice.Ask ask) {
            putSlot(head(frame, ASK, lockId), ask.slot()).putLong(ask.attempt()).putLong(ask.question());
        } else if (notice instanceof Notice.Mode mode) {
            putSlot(head(frame, MODE, lockId), mode.slot())
                    .putLong(mode.attempt())
                    .put(ModeCode.of(mode.mode()));
        } else if (notice instanceof Notice.Held held) {
            head(frame, HELD, lockId).putLong(held.question());
        } else if (notice instanceof Notice.Over over) {
            int count = (length - 1 - Short.BYTES - lockId.length - Short.BYTES) / FACT_BYTES;
            head(frame, OVER, lockId).putShort((short) count);
            over.facts().subList(0, count).forEach(fact -> write(frame, fact));
        }
    }

    private static ByteBuffer head(ByteBuffer frame, byte kind, byte[] lockId) {
        return frame.put(kind).putShort((short) lockId.length).put(lockId);
    }

    private static ByteBuffer putSlot(ByteBuffer frame, int number) {
        return frame.putShort((short) number);
    }

    private static void write(ByteBuffer frame, Fact fact) {
        NoticeFrames.put(frame, fact.slot().session());
        putSlot(frame, fact.slot().number())
                .putLong(fact.attempt())
                .put((byte) (fact.ticket().isPresent() ? 1 : 0))
                .putLong(fact.ticket().orElse(0));
    }

    /** Reads a whole body. */
    static Notice read(ByteBuffer body) throws RefusedFrameException {
        try {
            Notice notice = notice(body);
            if (body.hasRemaining()) {
                throw new RefusedFrameException("it has " + body.remaining() + " bytes too many");
            }
            return notice;
        } catch (BufferUnderflowException e) {
            throw new RefusedFrameException("it ends too early");
        }
    }

    private static Notice notice(ByteBuffer body) throws RefusedFrameException {
        byte kind = body.get();
        String lockId = lockId(body);
        return switch (kind) {
            case WAITING -> new Notice.Waiting(lockId, slot(body), body.getLong(), slot(body), body.getLong());
            case TICKET -> new Notice.Ticket(lockId, slot(body), body.getLong(), body.getLong());
            case OVER -> new Notice.Over(lockId, facts(body));
            case ASK -> new Notice.Ask(lockId, slot(body), body.getLong(), body.getLong());
            case MODE -> new Notice.Mode(lockId, slot(body), body.getLong(), ModeCode.mode(body.get()));
            case HELD -> new Notice.Held(lockId, body.getLong());
            default -> throw new RefusedFrameException("its kind is " + kind + ", which this process cannot read");
        };
    }

    private static String lockId(ByteBuffer body) throws RefusedFrameException {
        int length = Short.toUnsignedInt(body.getShort());
        ByteBuffer text = body.slice();
        if (length > text.remaining()) {
            throw new RefusedFrameException("its lock id is longer than the frame");
        }
        text.limit(length);
        body.position(body.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw new RefusedFrameException("its lock id is not UTF-8");
        }
    }

    private static int slot(ByteBuffer body) throws RefusedFrameException {
        int number = body.getShort();
        if (!SlotId.isPossible(number)) {
            throw new RefusedFrameException("its slot has the number " + number + ", which is not possible");
        }
        return number;
    }

    private static List<Fact> facts(ByteBuffer body) throws RefusedFrameException {
        int count = Short.toUnsignedInt(body.getShort());
        if (count * FACT_BYTES > body.remaining()) {
            throw new RefusedFrameException("it ends before its last fact");
        }
        List<Fact> facts = new ArrayList<>(count);
        for (int fact = 0; fact < count; fact++) {
            facts.add(fact(body));
        }
        return facts;
    }

    private static Fact fact(ByteBuffer body) throws RefusedFrameException {
        SlotId slot = new SlotId(NoticeFrames.uuid(body), slot(body));
        long attempt = body.getLong();
        byte hasTicket = body.get();
        long ticket = body.getLong();
        return switch (hasTicket) {
            case 0 -> new Fact(slot, attempt, OptionalLong.empty());
            case 1 -> new Fact(slot, attempt, OptionalLong.of(ticket));
            default -> throw new RefusedFrameException("a fact of it is neither with a ticket nor without");
        };
    }
}
