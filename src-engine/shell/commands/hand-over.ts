/** What a command made, as its only output: to the file that was named, else to standard output as it is. */

import { resolve } from 'node:path'
import { fileError, writeFileAtomically } from '../atomic-file.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'

export interface HandedOver {
  readonly content: string | Uint8Array
  readonly format: string
}

/** Writes text or bytes; throws `file_not_accessible` for a file that can't be written. */
export async function handOver(context: CommandContext, made: HandedOver): Promise<ExitCode> {
  const { out } = context.flags
  const { content, format } = made
  if (typeof out !== 'string' && context.json) {
    const isText = typeof content === 'string'
    const data = isText ? { text: content } : { base64: Buffer.from(content).toString('base64') }
    context.emit({ type: 'exported', format, ...data })
    return 0
  }
  if (typeof out !== 'string') {
    if (context.terminal.isTerminal && typeof content !== 'string') {
      throw usageError('A picture is not for a terminal.', 'Name a file with --out.')
    }
    await context.put(content)
    return 0
  }
  const path = resolve(out)
  try {
    await writeFileAtomically(path, content)
  } catch (cause) {
    throw fileError(path, cause)
  }
  if (context.json) context.emit({ type: 'exported', path, format })
  else context.terminal.errorLine(`Wrote ${out}`)
  return 0
}
