/** The command line of the product, run to its end as a process of its own. */

import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { commandLine } from '../support/program.ts'

const cli = await commandLine()

interface Said {
  readonly code: number | null
  readonly lines: readonly (JsonObject & { readonly type: string })[]
  /** All that it wrote to its standard output. */
  readonly text: string
}

interface Given {
  readonly environment?: Readonly<Record<string, string>>
  /** Piped in. */
  readonly typed?: string
}

/** Runs a command on a data directory. */
export const sagasmith = (data: string, ...args: readonly string[]): Promise<Said> =>
  sagasmithGiven(data, args)

/** Runs a command on a data directory, with what it is given beside its arguments. */
export function sagasmithGiven(data: string, args: readonly string[], given: Given = {}): Promise<Said> {
  const child = spawn(process.execPath, [cli, ...args, '--json', '--data', data], {
    env: { ...process.env, ...given.environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  // Who ends without reading closes the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(given.typed ?? '')
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  return new Promise((settle) => {
    child.on('close', (code) => {
      const lines = text.split('\n').filter((line) => line !== '')
      settle({ code, text, lines: lines.map((line) => JSON.parse(line) as Said['lines'][number]) })
    })
  })
}
