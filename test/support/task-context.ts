/** A task's context for tests: a real clock unless given another, and a log that is kept. */

import { invocationId, nodeId, runId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { killGraceMs } from '../../src-engine/model/limits.ts'
import { createSeededRandom } from '../../src-engine/runtime/seeded-random.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { TaskContext, TaskOutcome } from '../../src-engine/tasks/task.ts'

export interface ProbeContext extends TaskContext {
  /** `stream level text` of every line so far. */
  readonly lines: readonly string[]
}

/** The context; any part may be replaced. */
export function taskContext(parts: Partial<TaskContext> = {}): ProbeContext {
  const lines: string[] = []
  return {
    runId: runId('run_1'),
    invocationId: invocationId('run_1/step'),
    nodeId: nodeId('step'),
    attempt: 1,
    idempotencyKey: 'key-1',
    sideEffect: 'pure',
    env: null,
    input: { from: 'before' },
    turn: { iteration: 0, value: null },
    results: null,
    run: { id: 'run_1', now: 1_700_000_000_000, input: null, generation: 0, attempt: 1 },
    vars: { currency: 'EUR' },
    signal: new AbortController().signal,
    killGraceMs,
    setPausable: () => {},
    beat: () => {},
    log: ({ stream, level, text }) => lines.push(`${stream} ${level} ${text}`),
    baseDirectory: null,
    approvedHosts: [],
    echoService: () => Promise.reject(new Error('no echo service in this test')),
    secrets: null,
    clock: systemClock,
    random: createSeededRandom('test'),
    lines,
    ...parts,
  }
}

/** What a task handed on; fails for an outcome that hands nothing on. */
export function outputOf(outcome: TaskOutcome): JsonValue {
  if ('output' in outcome) return outcome.output
  throw new Error(`an outcome of kind ${outcome.kind} has no output`)
}

/** What the work threw; fails when it threw nothing. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (thrown) {
    return thrown
  }
  throw new Error('it was expected to fail')
}
