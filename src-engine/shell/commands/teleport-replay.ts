/** `teleport replay`: a pulled run on its recorded effects, step by step beside what was recorded. */

import { nodeId, runId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ReplayDifference, ReplayedStep, ReplayReport, ReplayVerdict } from '../../protocol/teleport.ts'
import { replayVerdicts } from '../../protocol/teleport.ts'
import type { Terminal } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { withTeleport } from './teleport-session.ts'
import { openWorkflowFile, printProblems } from './workflow-file.ts'

/** Exit code 1 where anything differs. */
export async function replayAction(
  context: CommandContext,
  [text = '']: readonly string[],
): Promise<ExitCode> {
  const { from, mocks } = context.flags
  const given = await changedWorkflow(context)
  if (given === 'invalid') return 2
  return withTeleport(context, async (session) => {
    const report = await session.call('teleport.replay', {
      runId: runId(text),
      document: given,
      nodeId: typeof from === 'string' ? nodeId(from) : null,
      mocks: typeof mocks === 'string' ? mocks : null,
    })
    if (context.json) emitReport(context, report)
    else printReport(context, report)
    return report.isSame ? 0 : 1
  })
}

/** The workflow of `--with`; null without it. Its problems are told. */
export async function changedWorkflow(context: CommandContext): Promise<JsonObject | null | 'invalid'> {
  const path = context.flags['with']
  if (typeof path !== 'string') return null
  const file = await openWorkflowFile(context, path)
  printProblems(context, file)
  return file.hash === null ? 'invalid' : file.json
}

function emitReport({ emit }: CommandContext, { steps, ...rest }: ReplayReport): void {
  for (const step of steps) emit({ type: 'step.replayed', ...step })
  emit({ type: 'run.replayed', ...rest })
}

function printReport({ terminal }: CommandContext, report: ReplayReport): void {
  const { bold, dim, green, yellow } = terminal.colors
  const { steps, counts, end, isSame, recordedHash, replayedHash } = report
  const version = recordedHash === replayedHash ? 'its own version' : `another version: ${replayedHash}`
  terminal.line(`${bold(report.runId)}  ${dim(`replayed on ${version}`)}\n`)
  const width = Math.min(40, Math.max(12, ...steps.map((step) => nameOf(step).length)))
  for (const step of steps) printStep(terminal, step, width)
  const told = replayVerdicts.filter((verdict) => counts[verdict] > 0)
  terminal.line(`\n${told.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}`)
  const ends = end.recorded === end.replayed ? end.recorded : `${end.recorded} → ${end.replayed}`
  terminal.line(isSame ? green(`The same end: ${ends}.`) : yellow(`The run ends ${ends}.`))
  for (const difference of end.differences)
    if (difference.what !== 'status') printDifference(terminal, difference)
}

const marks: Readonly<Record<ReplayVerdict, string>> = {
  same: '=',
  differs: '~',
  new: '+',
  gone: '-',
  failed: '✗',
  kept: '·',
  open: '…',
}

const sources: Readonly<Record<ReplayedStep['source'], string>> = {
  recorded: '',
  mocked: ' (mocked)',
  computed: ' (computed anew)',
  none: '',
}

const nameOf = ({ title, path }: ReplayedStep): string => (path === '' ? title : `${title} [${path}]`)

function printStep(terminal: Terminal, step: ReplayedStep, width: number): void {
  const { verdict, source, recorded, replayed, differences, error } = step
  const { green, yellow, red, dim } = terminal.colors
  const paint = verdict === 'failed' ? red : verdict === 'same' ? green : yellow
  const isQuiet = verdict === 'kept' || verdict === 'open'
  const status =
    recorded === replayed ? (recorded ?? '') : `${recorded ?? 'nothing'} → ${replayed ?? 'nothing'}`
  const mark = isQuiet ? dim(marks[verdict]) : paint(marks[verdict])
  const how = verdict === 'same' && source === 'computed' ? '' : sources[source]
  terminal.line(`${mark} ${nameOf(step).padEnd(width)}  ${verdict}  ${dim(`${status}${how}`)}`)
  for (const difference of differences)
    if (difference.what !== 'status') printDifference(terminal, difference)
  if (error !== null) terminal.line(`    ${red(error.message)}\n    ${dim(`→ ${error.hint}`)}`)
}

/** Longer values are for `--json`. */
const valueCharsMax = 100

function printDifference(terminal: Terminal, { what, recorded, replayed }: ReplayDifference): void {
  const value = (text: string | null): string =>
    text === null ? 'nothing' : text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text
  terminal.line(`    ${what}: ${terminal.colors.dim(value(recorded))} → ${value(replayed)}`)
}
