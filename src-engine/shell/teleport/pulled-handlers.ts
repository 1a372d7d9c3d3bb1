/**
 * Puts the pulled runs beside those of this machine: whoever asks for one by its id gets it, and whatever would
 * change one is refused.
 */

import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import type { Method } from '../../protocol/api.ts'
import type { RunSnapshot } from '../../protocol/snapshot.ts'
import type { WhyWaiting } from '../../protocol/why-waiting.ts'
import type { Handlers } from '../handlers/contract.ts'
import type { HostDeps } from '../host.ts'
import { replayWithPulled } from './pulled-policy.ts'
import type { PulledReader, PulledRuns } from './pulled-runs.ts'

/** Methods that only read the run whose id they get. */
const readingMethods = [
  'runs.stateAt',
  'runs.attempts',
  'runs.family',
  'runs.crashReport',
  'results.get',
  'expressions.preview',
  'deadLetters.list',
  'approvals.show',
  'saga.show',
  'audit.list',
  'logs.search',
] as const satisfies readonly Method[]

/** Methods that would change the run whose id they get. */
const runChangingMethods = [
  'runs.cancel',
  'runs.rerun',
  'runs.retry',
  'runs.fork',
  'runs.breakpoints',
  'runs.crash',
  'signals.send',
  'events.emit',
  'invocations.resolve',
  'approvals.decide',
  'saga.act',
] as const satisfies readonly Method[]

interface NamesRun {
  readonly runId: RunId | null
}

type Call = (input: NamesRun) => Promise<unknown>

/** The methods of this machine's engine, with the pulled runs among what they read. */
export function withPulled(handlers: Handlers, pulled: PulledRuns): Handlers {
  const readerOf = async ({ runId }: NamesRun): Promise<PulledReader | null> =>
    runId === null ? null : pulled.readerOf(runId)
  const reading = readingMethods.map((method): readonly [Method, Call] => [
    method,
    async (input) => {
      const chosen = (await readerOf(input))?.deps.handlers ?? handlers
      // The same method of either engine takes the same input.
      return (chosen[method] as Call)(input)
    },
  ])
  const changing = runChangingMethods.map((method): readonly [Method, Call] => [
    method,
    async (input) => {
      if ((await readerOf(input)) !== null) throw readOnly(input.runId)
      return (handlers[method] as unknown as Call)(input)
    },
  ])
  return { ...handlers, ...Object.fromEntries([...reading, ...changing]), ...ownForms(handlers, pulled) }
}

const readOnly = (runId: RunId | null): SagasmithError =>
  new SagasmithError('teleport_read_only', {
    message: `The run ${runId ?? ''} was pulled from a cluster: here it is only read.`,
    hint: `Have it go on where it came from with \`sagasmith teleport resume ${runId ?? ''}\`.`,
    details: { runId },
  })

type OwnForms = Pick<
  Handlers,
  | 'runs.get'
  | 'runs.control'
  | 'runs.why'
  | 'payloads.get'
  | 'workflows.version'
  | 'deadLetters.get'
  | 'policy.replay'
>

function ownForms(handlers: Handlers, pulled: PulledRuns): OwnForms {
  return {
    'runs.get': async (input) => (await snapshotOf(pulled, input.runId)) ?? handlers['runs.get'](input),
    async 'runs.control'(input) {
      const { runIds, ...request } = input
      const readers = await Promise.all(runIds.map(pulled.readerOf))
      const own = runIds.filter((_, index) => readers[index] === null)
      const answered =
        own.length === 0 ? [] : (await handlers['runs.control']({ ...request, runIds: own })).results
      const byRun = new Map(answered.map((result) => [result.runId, result]))
      const refused = (runId: RunId) => ({ runId, answer: null, error: recordOfThrown(readOnly(runId)) })
      return { results: runIds.map((runId) => byRun.get(runId) ?? refused(runId)) }
    },
    async 'runs.why'(input) {
      if ((await pulled.readerOf(input.runId)) === null) return handlers['runs.why'](input)
      const file = await pulled.file()
      // Written by the pull, from the same method of the cluster's engine.
      const waiting = JSON.parse(file?.waiting(input.runId) ?? '[]') as readonly WhyWaiting[]
      return { waiting: waiting.filter(({ nodeId }) => input.nodeId === null || nodeId === input.nodeId) }
    },
    'policy.replay': replayWithPulled(handlers, pulled),
    'payloads.get': (input) =>
      elseOf(pulled, 'blob_missing', {
        here: () => handlers['payloads.get'](input),
        there: (reader) => reader.deps.handlers['payloads.get'](input),
      }),
    'deadLetters.get': (input) =>
      elseOf(pulled, 'dead_letter_not_found', {
        here: () => handlers['deadLetters.get'](input),
        there: (reader) => reader.deps.handlers['deadLetters.get'](input),
      }),
    'workflows.version': (input) =>
      elseOf(pulled, 'workflow_not_found', {
        here: () => handlers['workflows.version'](input),
        there: (reader) => reader.deps.handlers['workflows.version'](input),
      }),
  }
}

/** Says of itself that it is a copy; null for a run that wasn't pulled. */
async function snapshotOf(pulled: PulledRuns, runId: RunId): Promise<RunSnapshot | null> {
  const reader = await pulled.readerOf(runId)
  if (reader === null) return null
  const snapshot = await reader.composed.engine.snapshot(runId)
  const told = (await pulled.file())?.find(runId) ?? null
  return told === null ? snapshot : { ...snapshot, pulled: told }
}

/** What is named by its content is the same wherever it lies. */
async function elseOf<Answer>(
  pulled: PulledRuns,
  missing: string,
  ask: {
    readonly here: () => Promise<Answer>
    readonly there: (reader: PulledReader) => Promise<Answer>
  },
): Promise<Answer> {
  try {
    return await ask.here()
  } catch (thrown) {
    if (recordOfThrown(thrown).code !== missing) throw thrown
    for (const reader of await pulled.readers().catch(() => [])) {
      const found = await ask.there(reader).catch(() => null)
      if (found !== null) return found
    }
    throw thrown
  }
}

/** What follows runs: a pulled one by its own engine. */
export function enginesWithPulled(engine: HostDeps['engine'], pulled: PulledRuns): HostDeps['engine'] {
  const known = (runId: RunId | null): HostDeps['engine'] =>
    (runId === null ? null : pulled.knownReaderOf(runId))?.composed.engine ?? engine
  return {
    store: engine.store,
    snapshot: async (runId) => (await snapshotOf(pulled, runId)) ?? engine.snapshot(runId),
    // Whoever follows a run has asked for its snapshot before.
    follow: (request) => known(request.runId).follow(request),
    onLive: (receive) => engine.onLive(receive),
    liveSoFar: (runId) => known(runId).liveSoFar(runId),
  }
}
