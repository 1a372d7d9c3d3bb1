/** What `sagasmith test` says, in words or as JSON lines. */

import { basename } from 'node:path'
import { testsPathOf } from '../../model/workflow-file.ts'
import type { WorkflowTest } from '../../model/workflow-test.ts'
import type { RecordedTest, TestDifference, TestResult } from '../../protocol/workflow-tests.ts'
import type { CommandContext } from './command.ts'
import type { WorkflowFile } from './workflow-file.ts'

type File = Pick<WorkflowFile, 'path'>

export function tellResult(context: CommandContext, { path }: File, result: TestResult): void {
  if (context.json) return context.emit({ type: 'test', file: path, ...result })
  const { terminal } = context
  const { green, red, dim } = terminal.colors
  const mark = result.isPassed ? green('✓') : red('✗')
  terminal.line(`${mark} ${result.name}  ${dim(basename(path))}`)
  if (result.error !== null) terminal.line(`    ${result.error.message} ${dim(`→ ${result.error.hint}`)}`)
  for (const difference of result.differences) terminal.line(`    ${wordsOf(difference)}`)
}

export function tellTotal(
  context: CommandContext,
  counts: { readonly passed: number; readonly failed: number },
): void {
  if (context.json) return context.emit({ type: 'tests', ...counts })
  const { green, red } = context.terminal.colors
  const words = `${counts.passed} passed, ${counts.failed} failed`
  context.terminal.line(`\n${counts.failed === 0 ? green(words) : red(words)}`)
}

export function tellTests(context: CommandContext, { path }: File, tests: readonly WorkflowTest[]): void {
  for (const { name, at, expected } of tests) {
    const steps = Object.keys(expected.steps).length
    if (context.json) {
      context.emit({ type: 'test', file: path, name, at, status: expected.status, steps })
    } else {
      const { dim } = context.terminal.colors
      context.terminal.line(`${name}  ${dim(`${expected.status}, ${steps} steps, ${basename(path)}`)}`)
    }
  }
}

export function tellUpdated(context: CommandContext, { path }: File, result: TestResult): void {
  const { name, isPassed, differences } = result
  if (context.json) return context.emit({ type: 'test', file: path, name, updated: !isPassed, differences })
  const { dim, yellow } = context.terminal.colors
  context.terminal.line(isPassed ? dim(`= ${name}`) : `${yellow('~')} ${name}`)
  for (const difference of differences) context.terminal.line(`    ${wordsOf(difference)}`)
}

export function tellRecorded(
  context: CommandContext,
  { path }: File,
  { recorded, isKept }: { readonly recorded: RecordedTest; readonly isKept: boolean },
): void {
  const { test, volatile, differences } = recorded
  const to = testsPathOf(path)
  if (context.json) {
    const { name } = test
    return context.emit({ type: 'test.recorded', name, file: to, kept: isKept, volatile, differences })
  }
  const { terminal } = context
  const { green, yellow } = terminal.colors
  for (const difference of differences) terminal.line(`    ${wordsOf(difference, 'repeated')}`)
  if (!isKept) {
    terminal.line(yellow('Not kept: repeated on what was recorded, the run comes out otherwise.'))
    terminal.line('→ The workflow may have changed since. Add --accept to expect what the repetition gives.')
    return
  }
  terminal.line(`${green('✓')} “${test.name}” is kept in ${to}.`)
  if (volatile.length > 0) {
    terminal.line(`  Not looked at, for it is another one each time: what ${volatile.join(', ')} gives.`)
  }
}

function wordsOf({ step, what, expected, came }: TestDifference, now = 'came'): string {
  const place = step ?? 'the run'
  if (what === 'status' && expected === null) return `${place} ran (${came}), and was not to`
  if (what === 'status' && came === null) return `${place} didn’t run (expected ${expected})`
  const words = { status: 'ended', ports: 'went', output: 'gave', error: 'failed with' } as const
  return `${place} ${words[what]}: expected ${expected ?? 'nothing'}, ${now} ${came ?? 'nothing'}`
}
