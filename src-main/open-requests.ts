/** What the app is asked to open from outside: by its command line, a second start or a link. Hostile input. */

import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { isWorkflowFileName } from '../src-engine/model/workflow-file.ts'
import { readDeepLink } from '../src-engine/protocol/deep-link.ts'
import type { OpenRequest } from '../src-engine/protocol/desktop-api.ts'

/** A command line as the system handed it over. */
export interface CommandLine {
  readonly argv: readonly string[]
  readonly cwd: string
  /** How many leading entries are the program itself (and the app folder, when started from a checkout). */
  readonly programCount: number
}

/** The first link of ours or existing workflow file among the arguments, its path absolute; null for neither. */
export function requestOfCommandLine({ argv, cwd, programCount }: CommandLine): OpenRequest | null {
  for (const argument of argv.slice(programCount)) {
    const link = readDeepLink(argument)
    if (link !== null) return link
    const path = argument.startsWith('-') || argument.includes('\0') ? null : resolve(cwd, argument)
    if (path !== null && isWorkflowFile(path)) return { kind: 'file', path }
  }
  return null
}

const isWorkflowFile = (path: string): boolean =>
  isWorkflowFileName(basename(path)) && existsSync(path) && statSync(path).isFile()
