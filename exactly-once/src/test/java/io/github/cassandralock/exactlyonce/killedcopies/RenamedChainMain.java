package io.github.cassandralock.exactlyonce.killedcopies;

import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.killedcopies.RenamedChain.Address;
import io.github.cassandralock.exactlyonce.killedcopies.RenamedChain.Names;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The process of one copy of the handler and one of the sink of {@link RenamedChain}. It ends when its standard input does. */
final class RenamedChainMain {

    private RenamedChainMain() {}

    static List<String> arguments(String copy, Names names, Address address) {
        List<String> arguments = new ArrayList<>(List.of(copy));
        arguments.addAll(names.arguments());
        arguments.addAll(address.arguments());
        return arguments;
    }

    /** @param arguments see {@link #arguments} */
    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        String copy = all.get(0);
        Names names = Names.ofArguments(all.subList(1, 5));
        try (RenamedChain chain = RenamedChain.open(Address.ofArguments(all.subList(5, all.size())));
                HandlerCopy handler = chain.handlerCopy(names, copy, new CopyMain.TellingHandler());
                SinkCopy sink = chain.sinkCopy(names, copy, new CopyMain.TellingSink())) {
            handler.start();
            sink.start();
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
