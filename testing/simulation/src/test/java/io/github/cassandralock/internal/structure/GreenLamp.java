package io.github.cassandralock.internal.structure;

record GreenLamp() implements Lamp {}
