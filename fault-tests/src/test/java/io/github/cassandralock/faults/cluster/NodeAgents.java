package io.github.cassandralock.faults.cluster;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.cassandralock.local.LocalNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Loads {@link NodeAgent} into nodes that run. */
final class NodeAgents {

    private NodeAgents() {}

    /** Returns when the command is carried out. */
    static void run(LocalNode node, String command) {
        try {
            Path jar = node.logFile().resolveSibling("agent.jar");
            if (Files.notExists(jar)) {
                write(jar);
            }
            VirtualMachine machine = VirtualMachine.attach(Long.toString(node.pid()));
            try {
                machine.loadAgent(jar.toString(), command);
            } finally {
                machine.detach();
            }
        } catch (IOException | AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IllegalStateException(
                    "'" + command + "' failed on " + node + "; the reason is in " + node.logFile(), e);
        }
    }

    private static void write(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", NodeAgent.class.getName());
        String file = NodeAgent.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = Objects.requireNonNull(NodeAgent.class.getResourceAsStream("/" + file))) {
            out.putNextEntry(new JarEntry(file));
            in.transferTo(out);
        }
    }
}
