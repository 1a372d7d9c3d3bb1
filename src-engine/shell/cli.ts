#!/usr/bin/env node
/** The command line as a program: its words, streams, signals and exit code are those of the process. */

import { runCommandLine } from './command-line.ts'

function onInterrupt(call: (signal: 'SIGINT' | 'SIGTERM') => void): () => void {
  const fromTerminal = (): void => call('SIGINT')
  const fromSystem = (): void => call('SIGTERM')
  process.on('SIGINT', fromTerminal)
  process.on('SIGTERM', fromSystem)
  return () => {
    process.off('SIGINT', fromTerminal)
    process.off('SIGTERM', fromSystem)
  }
}

// A reader that went away (`| head`) ends the command like any other program.
process.stdout.on('error', () => process.exit(1))

process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt,
})
