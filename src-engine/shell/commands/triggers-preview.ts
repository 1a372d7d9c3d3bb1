/** `triggers preview`: the words and the next slots of schedules, of a file or of one expression. */

import type { PreviewedSlot, SchedulePreview } from '../../model/schedule-preview.ts'
import type { Instant } from '../../model/time.ts'
import { parameterProblems } from '../../model/validate-parameters.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { CronParameters } from '../../triggers/cron/cron-calculator.ts'
import { instantOfText } from '../../triggers/cron/cron-calculator.ts'
import { previewSchedule } from '../../triggers/cron/cron-preview.ts'
import { cronSpec } from '../../triggers/cron/spec.ts'
import { tableText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { openWorkflowFile } from './workflow-file.ts'

const countDefault = 10
/** As many as a schedule by the minute has in two years. */
const countMax = 1_100_000

interface Scheduled {
  /** The key in the document; null for an expression of the command line. */
  readonly id: string | null
  readonly title: string | null
  readonly isOn: boolean
  readonly parameters: CronParameters
}

/** Prints every schedule of a file, or the one of `--cron`. */
export async function previewAction(context: CommandContext, [file]: readonly string[]): Promise<ExitCode> {
  const text = (flag: string): string | null => {
    const value = context.flags[flag]
    return typeof value === 'string' ? value : null
  }
  const [expression, zone, from, count] = [text('cron'), text('zone'), text('from'), countOf(text('count'))]
  if ((file === undefined) === (expression === null))
    throw usageError('A preview is of a FILE or of --cron.', 'sagasmith triggers preview --cron "0 9 * * *"')
  if (file !== undefined) {
    if (zone !== null)
      throw usageError('--zone belongs to --cron.', 'A schedule of a file names its own zone.')
    return previewFile(context, file, { from, count })
  }
  const parameters = { expression: expression ?? '', timeZone: zone ?? 'UTC' }
  show(context, { id: null, title: null, isOn: true, parameters }, rangeOf({ from, count }, parameters))
  return 0
}

interface Asked {
  readonly from: string | null
  readonly count: number
}

async function previewFile(context: CommandContext, path: string, asked: Asked): Promise<ExitCode> {
  const { document } = await openWorkflowFile(context, path)
  let exitCode: ExitCode = 0
  let shown = 0
  for (const [id, { kind, title = null, parameters = {}, enabled = true }] of Object.entries(
    document.triggers ?? {},
  )) {
    if (kind !== 'cron') continue
    shown += 1
    const name = (): string => `The trigger “${title ?? id}”`
    const schema = cronSpec.parameters
    const problems = parameterProblems({
      schema,
      parameters,
      name,
      field: `triggers.${id}.parameters`,
      nodeId: null,
    })
    for (const problem of problems) {
      exitCode = 2
      if (context.json) context.emit({ type: 'problem', ...problem })
      else context.terminal.errorLine(`${context.terminal.colors.red('error')} ${problem.message}`)
    }
    if (problems.length > 0) continue
    const read = schema.parse(parameters)
    show(context, { id, title, isOn: enabled, parameters: read }, rangeOf(asked, read))
  }
  if (shown === 0 && !context.json) context.terminal.line('This workflow has no schedules.')
  return exitCode
}

interface Range {
  readonly after: Instant
  readonly count: number
}

function rangeOf({ from, count }: Asked, { timeZone = 'UTC' }: CronParameters): Range {
  if (from === null) return { after: systemClock.now(), count }
  const at = instantOfText(from, timeZone)
  if (at === null) {
    throw usageError(
      `“${from}” is no instant.`,
      'Use 2026-03-01T09:00Z; without a zone, 2026-03-01 and 2026-03-01T09:00 are meant in the schedule’s.',
    )
  }
  // Slots lie on whole seconds: the first one may be at the instant itself.
  return { after: at - 1, count }
}

function countOf(text: string | null): number {
  if (text === null) return countDefault
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= countMax) return count
  throw usageError(`“${text}” is no count.`, `--count is a number from 1 to ${countMax}.`)
}

function show(context: CommandContext, scheduled: Scheduled, range: Range): void {
  const { id, title, isOn, parameters } = scheduled
  const preview = previewSchedule(parameters, range)
  if (context.json) {
    for (const slot of preview.slots) context.emit(slotLine(id, slot))
    return
  }
  const { bold, dim, yellow } = context.terminal.colors
  const name = title ?? id
  const head = name === null ? bold(preview.words) : `${bold(name)}  ${preview.words}`
  context.terminal.line(isOn ? head : `${head}  ${yellow('off')}`)
  if (preview.slots.length === 0) context.terminal.line(yellow('  never again'))
  for (const row of tableText(preview.slots.map((slot) => rowOf(slot, preview))))
    context.terminal.line(`  ${row}`)
  if (preview.rule !== null) context.terminal.line(dim(`  ${preview.rule}`))
}

const iso = (at: Instant): string => new Date(at).toISOString()

function slotLine(triggerId: string | null, { at, fireAt, local, change }: PreviewedSlot): object {
  return {
    type: 'trigger.slot',
    ...(triggerId === null ? {} : { triggerId }),
    at: iso(at),
    local,
    change,
    ...(fireAt === at ? {} : { fireAt: iso(fireAt) }),
  }
}

const changeWords = {
  gap: 'its time is skipped that day',
  first: 'its time comes twice, the first',
  second: 'its time comes twice, the second',
} as const

function rowOf(
  { at, fireAt, local, change }: PreviewedSlot,
  { timeZone }: SchedulePreview,
): readonly string[] {
  const late = Math.round((fireAt - at) / 1000)
  return [
    ...(timeZone === 'UTC' ? [] : [local]),
    iso(at).replace('.000Z', 'Z'),
    [
      ...(late === 0 ? [] : [`starts ${late} s later`]),
      ...(change === null ? [] : [changeWords[change]]),
    ].join(', '),
  ]
}
