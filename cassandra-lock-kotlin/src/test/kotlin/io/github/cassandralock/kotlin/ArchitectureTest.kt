package io.github.cassandralock.kotlin

import com.tngtech.archunit.core.importer.ImportOption
import com.tngtech.archunit.junit.AnalyzeClasses
import com.tngtech.archunit.junit.ArchTest
import com.tngtech.archunit.lang.ArchRule
import io.github.cassandralock.internal.structure.Structure

private const val API = "io.github.cassandralock"

/** The classes that the Kotlin compiler makes. */
@AnalyzeClasses(packages = [API], importOptions = [ImportOption.DoNotIncludeTests::class])
class ArchitectureTest {

    companion object {

        @ArchTest
        @JvmField
        val API_RULE: ArchRule =
            Structure.mayUse("$API.kotlin", API, "$API.internal.kotlin", "kotlin..", "kotlinx.coroutines..", "org.jetbrains.annotations..")

        @ArchTest
        @JvmField
        val INTERNAL_RULE: ArchRule =
            Structure.mayUse("$API.internal.kotlin", API, "kotlin..", "kotlinx.coroutines..", "org.jetbrains.annotations..")

        @ArchTest
        @JvmField
        val CLASS_CYCLES: ArchRule = Structure.classCycles(0)

        @ArchTest
        @JvmField
        val PACKAGE_CYCLES: ArchRule = Structure.packageCycles(0)

        @ArchTest
        @JvmField
        val LONGEST_FILE: ArchRule = Structure.longestFile(202)

        @ArchTest
        @JvmField
        val CALLBACKS: ArchRule = Structure.callbacks("$API..")
    }
}
