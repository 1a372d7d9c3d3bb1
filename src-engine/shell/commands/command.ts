/** What a command is and gets; one file per command beside this one. */

import type { ParseArgsOptionsConfig } from 'node:util'
import type { ErrorRecord } from '../../model/errors.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { LoadedSettings } from '../config.ts'
import type { Terminal } from '../terminal.ts'

/** 0: what was asked for is done. 1: it ended otherwise. 2: bad usage, or a file that is not valid. */
export type ExitCode = 0 | 1 | 2

export interface CommandContext {
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  /** One JSON object per line instead of words for people. */
  readonly json: boolean
  readonly settings: LoadedSettings
  readonly terminal: Terminal
  /** Prints one JSON line to stdout. */
  readonly emit: (value: object) => void
  /** Prints to stdout as it is; resolves once it is out. */
  readonly put: (content: string | Uint8Array) => Promise<void>
  /** Calls for each Ctrl-C (SIGINT) or SIGTERM; returns the way to stop listening. */
  readonly onInterrupt: (call: (signal: 'SIGINT' | 'SIGTERM') => void) => () => void
}

export interface Command {
  /** After the program's name: `run FILE [--input JSON|@FILE]`. */
  readonly usage: string
  /** The forms of a command that has many, one a line, each with the program's name; for the help. */
  readonly forms?: readonly string[]
  readonly summary: string
  /** Options of its own, besides `--data`, `--json`, `--help`, which all commands have. */
  readonly options: ParseArgsOptionsConfig
  /** What the options mean, for the help. */
  readonly optionHelp: readonly (readonly [string, string])[]
  /** How many positional arguments it takes. */
  readonly positionals: { readonly min: number; readonly max: number }
  readonly run: (context: CommandContext) => Promise<ExitCode>
}

/** A mistake in how the command was called: exit code 2. */
export function usageError(message: string, hint: string): SagasmithError {
  return new SagasmithError('bad_request', { message, hint, details: { usage: true } })
}

/** Codes that mean that what was given is wrong, not that something went wrong. */
const invalidCodes: ReadonlySet<string> = new Set([
  'document_unreadable',
  'document_too_large',
  'document_too_new',
  'document_invalid',
  'code_unreadable',
  'picture_unreadable',
  'picture_too_large',
  'file_not_found',
  'task_file_invalid',
  'task_kind_taken',
  'task_not_found',
  'task_holds_secret',
  'task_not_migrated',
  'task_migration_failed',
  'tests_invalid',
  'test_not_found',
  'test_name_taken',
  'file_not_accessible',
  'bad_request',
  'policy_invalid',
  'policy_unreadable',
  'input_invalid',
  'payload_too_large',
  'cluster_address_invalid',
  'cluster_unknown',
])

/** The exit code of an error that ended a command. */
export const exitCodeOf = (error: ErrorRecord): ExitCode => (invalidCodes.has(error.code) ? 2 : 1)
