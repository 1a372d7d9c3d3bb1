/** How a command reports the end of a run: the last JSON line, or a summary. */

import type { RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RunRecord } from '../../model/run.ts'
import { runTookMs, sinceMade } from '../../model/run-time.ts'
import type { Session } from '../session.ts'
import { spanText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'

/** Output beyond this is a file's worth: people get the way to read it instead. */
const shownCharsMax = 2_000

/** Prints the end of a run that has ended, and gives the exit code that belongs to it. */
export async function reportEnd(context: CommandContext, session: Session, runId: RunId): Promise<ExitCode> {
  const { run } = await session.call('runs.get', { runId })
  const output = await outputOf(session, run)
  if (context.json) {
    context.emit({ type: 'run.finished', runId, status: run.status, output, error: run.error })
  } else printEnd(context, run, output)
  return run.status === 'SUCCEEDED' ? 0 : 1
}

async function outputOf(session: Session, run: RunRecord): Promise<JsonValue> {
  if (run.output === null) return null
  const { json } = await session.call('payloads.get', { payload: run.output })
  // A payload is JSON text.
  return JSON.parse(json) as JsonValue
}

function printEnd({ terminal }: CommandContext, run: RunRecord, output: JsonValue): void {
  const { green, red, bold, dim } = terminal.colors
  const isGood = run.status === 'SUCCEEDED'
  const tookMs = runTookMs(sinceMade(run))
  const took = tookMs === null ? '' : ` in ${spanText(tookMs)}`
  terminal.line(`\n${isGood ? green(bold(run.status)) : red(bold(run.status))}${took}  ${dim(run.id)}`)
  if (run.error !== null) {
    terminal.errorLine(`${red('error')} ${run.error.message} ${dim(`[${run.error.code}]`)}`)
    terminal.errorLine(`${dim('→')} ${run.error.hint}`)
  }
  if (run.status === 'COMPENSATION_FAILED' && run.waitReason !== null)
    terminal.errorLine(`${dim('→')} ${run.waitReason.message}`)
  if (output === null) return
  const text = JSON.stringify(output, null, 2)
  terminal.line(
    text.length <= shownCharsMax
      ? text
      : dim(`output: ${text.length} characters, see \`sagasmith runs show ${run.id} --json\``),
  )
}
