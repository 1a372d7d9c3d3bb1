/** `runs compare ID OTHER`: where two runs of one workflow part, and what differs step by step. */

import { valueOfPayload } from '../../model/comparison/compared-run.ts'
import {
  differenceText,
  divergenceText,
  stepDifferenceWords,
} from '../../model/comparison/comparison-words.ts'
import type { StepComparison, StepSide } from '../../model/comparison/step-comparison.ts'
import { onlyIn } from '../../model/comparison/step-comparison.ts'
import type { ValueDifference } from '../../model/comparison/value-differences.ts'
import { valueDifferences } from '../../model/comparison/value-differences.ts'
import { runId } from '../../model/ids.ts'
import { toldDifferencesMax } from '../../model/limits.ts'
import { runTookMs } from '../../model/run-time.ts'
import type { LoadedComparison } from '../../protocol/load-comparison.ts'
import { loadComparison } from '../../protocol/load-comparison.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { spanText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { withSession } from './with-session.ts'

/** Of a step's values, people see these; `--json` has more. */
const shownDifferencesMax = 5

/** Prints where the runs part and the steps that differ; the run named first is the earlier one. */
export function compareAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const [before = '', after = ''] = args
  return withSession(context, 'look', async (session) => {
    const ids = { before: runId(before), after: runId(after) }
    const comparison = await loadComparison(session, ids, taskSpecsByKind)
    if (context.json) emit(context, comparison)
    else print(context, comparison)
    return 0
  })
}

const names = { before: 'run A', after: 'run B' }

function emit(context: CommandContext, comparison: LoadedComparison): void {
  const { before, after, isInputSame, divergence, changes } = comparison
  context.emit({
    type: 'comparison',
    before: before.run.id,
    after: after.run.id,
    isSameVersion: before.run.definitionHash === after.run.definitionHash,
    isInputSame,
    divergence,
    text: divergenceText(comparison, names),
    changes,
  })
  for (const step of comparison.steps) {
    const values = valuesOf(comparison, step, toldDifferencesMax)
    context.emit({
      type: 'step',
      ...step,
      before: factsOf(step.before),
      after: factsOf(step.after),
      ...values,
    })
  }
}

/** Without the values themselves: what differs in them stands beside. */
function factsOf(side: StepSide | null): Omit<StepSide, 'input' | 'output'> | null {
  if (side === null) return null
  const { input: _input, output: _output, ...facts } = side
  return facts
}

function valuesOf(
  { before, after }: LoadedComparison,
  step: StepComparison,
  max: number,
): { readonly input: readonly ValueDifference[]; readonly output: readonly ValueDifference[] } {
  const differences = (field: 'input' | 'output'): readonly ValueDifference[] => {
    if (!step.differences.includes(field)) return []
    const [was, is] = [step.before?.[field] ?? null, step.after?.[field] ?? null]
    return valueDifferences(
      was === null ? undefined : valueOfPayload(before, was),
      is === null ? undefined : valueOfPayload(after, is),
      max,
    )
  }
  return { input: differences('input'), output: differences('output') }
}

function print(context: CommandContext, comparison: LoadedComparison): void {
  const { terminal } = context
  const { bold, dim, yellow } = terminal.colors
  const { before, after, steps, changes } = comparison
  terminal.line(bold(after.run.workflowTitle))
  for (const [name, { run }] of [
    ['A', before],
    ['B', after],
  ] as const) {
    terminal.line(dim(`${name}  ${run.id}  ${run.status}${tookText(runTookMs(run))}`))
  }
  terminal.line(`\n${divergenceText(comparison, names)}\n`)
  const differing = steps.filter(({ differences }) => differences.length > 0)
  for (const step of differing) {
    const place = step.path === '' ? '' : dim(`  [${step.path}]`)
    const only = onlyIn(step)
    const what =
      only === null
        ? step.differences.map((one) => stepDifferenceWords[one]).join(', ')
        : `in ${names[only]} only`
    terminal.line(`${yellow('≠')} ${step.title}${place}  ${what}${deltaText(step)}`)
    const { input, output } = valuesOf(comparison, step, shownDifferencesMax)
    for (const one of input) terminal.line(dim(`    called with: ${differenceText(one)}`))
    for (const one of output) terminal.line(dim(`    output: ${differenceText(one)}`))
  }
  const same = steps.length - differing.length
  terminal.line(dim(`${differing.length} steps differ, ${same} did the same.`))
  if (changes.length > 0) terminal.line(dim(`The versions differ in ${changes.length} places.`))
}

const tookText = (ms: number | null): string => (ms === null ? '' : `, took ${spanText(ms)}`)

function deltaText({ deltaMs }: StepComparison): string {
  if (deltaMs === null || deltaMs === 0) return ''
  return `  ${deltaMs > 0 ? '+' : '−'}${spanText(Math.abs(deltaMs))}`
}
