/** `run FILE --dry-run`: the workflow in memory, with mocks for all that touches the outside. */

import type { JsonValue } from '../../model/json.ts'
import type { MockedStep } from '../../runtime/mocked-host.ts'
import { nodeMocksOf } from '../../runtime/mocked-host.ts'
import { taskMocksByKind } from '../../tasks/mocks.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { followToEnd } from './follow-run.ts'
import type { WorkflowFile } from './workflow-file.ts'

/** Runs it, tells its end, and says which steps were mocked. Nothing is kept. */
export async function dryRun(
  context: CommandContext,
  file: WorkflowFile,
  input: JsonValue,
): Promise<ExitCode> {
  const { createSession } = await import('../session.ts')
  const { connectInProcess } = await import('../in-process.ts')
  const set = mockSetOf(context, file)
  const mocked: MockedStep[] = []
  const mocking = {
    nodes: nodeMocksOf(file.document, set),
    kinds: taskMocksByKind,
    told: (step: MockedStep) => mocked.push(step),
  }
  const { baseDirectory, document, json } = file
  const folder = baseDirectory
  const session = await createSession(() => connectInProcess({ folder, mocking, settings: context.settings }))
  try {
    const request = { document: json, input, baseDirectory, requestId: null }
    const { runId } = await session.call('runs.start', request)
    if (!context.json) announce(context, file)
    const code = await followToEnd(context, session, { runId, document, onInterrupt: 'cancel' })
    tell(context, mocked)
    return code
  } finally {
    await session.close()
  }
}

/** The mock set that `--mocks` names; null for none. */
export function mockSetOf(context: CommandContext, { document }: WorkflowFile): string | null {
  const set = context.flags['mocks']
  if (typeof set !== 'string') return null
  const known = new Set(Object.values(document.nodes).flatMap(({ mocks }) => Object.keys(mocks ?? {})))
  if (known.has(set)) return set
  throw usageError(
    `No node has a mock “${set}”.`,
    known.size === 0 ? 'The workflow has no mocks of its own.' : `It has: ${[...known].sort().join(', ')}.`,
  )
}

function announce({ terminal }: CommandContext, file: WorkflowFile): void {
  const { bold, yellow } = terminal.colors
  terminal.line(
    `${bold(file.document.title)}  ${yellow('dry run')}: nothing is kept, nothing outside is touched\n`,
  )
}

/** A step that tried twice is one mocked step. */
function tell(context: CommandContext, mocked: readonly MockedStep[]): void {
  const steps = new Map(mocked.map((step) => [`${step.runId}/${step.nodeId}`, step]))
  if (context.json) {
    for (const step of steps.values()) context.emit({ type: 'step.mocked', ...step })
    context.emit({ type: 'dry-run', mocked: steps.size })
    return
  }
  const { terminal } = context
  const told = [...steps.values()].map(
    ({ nodeId, kind, source }) => `${nodeId} (${source === 'node' ? 'its own mock' : kind})`,
  )
  terminal.line(
    terminal.colors.yellow(
      told.length === 0 ? 'Dry run; no step was mocked.' : `Dry run; mocked: ${told.join(', ')}.`,
    ),
  )
}
