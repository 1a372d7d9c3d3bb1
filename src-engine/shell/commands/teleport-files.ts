/** `teleport save|open`: a run as a file that one person hands to another. */

import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { runId } from '../../model/ids.ts'
import { runFileBytesMax } from '../../model/limits.ts'
import { fileError } from '../atomic-file.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { handOver } from './hand-over.ts'
import { withTeleport } from './teleport-session.ts'

/** A run of this machine, a copy, or a run of the cluster that is named. */
export function saveRunAction(context: CommandContext, [text = '']: readonly string[]): Promise<ExitCode> {
  const { cluster, family, out, at } = context.flags
  if (typeof out !== 'string') throw usageError('Say where the run is to be saved.', 'Add --out FILE.')
  const event = typeof at === 'string' ? Number(at) : null
  if (event !== null && !(Number.isInteger(event) && event >= 0)) {
    throw usageError(
      `“${String(at)}” is no number of an event.`,
      'See them with `sagasmith runs show RUN --json`.',
    )
  }
  return withTeleport(context, async (session) => {
    const { base64, runs, leftOut } = await session.call('teleport.save', {
      runId: runId(text),
      cluster: typeof cluster === 'string' ? cluster : null,
      family: family === true,
      at: event,
    })
    const { terminal, json } = context
    if (!json && runs > 1) terminal.errorLine(`${runs} runs`)
    if (!json && leftOut > 0)
      terminal.errorLine(`${leftOut} payloads were too much to go along, or are no more.`)
    return handOver(context, { content: Buffer.from(base64, 'base64'), format: 'sagarun' })
  })
}

export function openRunAction(context: CommandContext, [file = '']: readonly string[]): Promise<ExitCode> {
  const path = resolve(file)
  return withTeleport(context, async (session) => {
    const base64 = (await bytesOf(path)).toString('base64')
    const answer = await session.call('teleport.open', { name: basename(path), base64 })
    if (context.json) context.emit({ type: 'run.opened', ...answer })
    else if (answer.isOwn) context.terminal.line(`${answer.runId} is a run of this machine.`)
    else {
      const { bold, dim } = context.terminal.colors
      context.terminal.line(`${bold(answer.runId)}  opened${answer.runs > 1 ? `, ${answer.runs} runs` : ''}`)
      context.terminal.line(dim(`It is only read here: \`sagasmith runs show ${answer.runId}\`.`))
    }
    return 0
  })
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size <= runFileBytesMax) return await readFile(path)
  } catch (cause) {
    throw fileError(path, cause)
  }
  throw new SagasmithError('run_file_unreadable', { message: `${path} is too large for the file of a run.` })
}
