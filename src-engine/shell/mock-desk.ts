/**
 * Runs on mocks for those who watch them: engines in this process's memory that answer for all that touches the
 * outside or takes its time. They are followed, stopped and stepped through as every other run is, and gone with the
 * process.
 */

import type { RunId, WorkflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { parseDocument } from '../model/read-document.ts'
import { runMachine } from '../model/run-status.ts'
import type { NodeMocks } from '../runtime/mocked-host.ts'
import { nodeMocksOf } from '../runtime/mocked-host.ts'
import { partitionOfRun } from '../runtime/run-place.ts'
import { taskMocksByKind } from '../tasks/mocks.ts'
import type { ComposedEngine, ComposeInput } from './compose-engine.ts'
import type { Handlers } from './handlers/contract.ts'
import type { HostDeps } from './host.ts'
import type { HostParts } from './host-deps.ts'
import { hosted } from './host-deps.ts'

export interface MockDesk {
  /** What is served to those who ask for the place of mocks. */
  readonly deps: () => Promise<HostDeps>
  readonly close: () => Promise<void>
}

interface MockDeskParts
  extends Pick<HostParts, 'settings' | 'directory' | 'vault' | 'clusters' | 'clock' | 'log'> {
  /** How this process runs what needs one of its own. */
  readonly sandboxing: Pick<ComposeInput, 'sandbox' | 'sqlite'>
}

/** After so many runs an engine makes place for a new one, as soon as nothing goes on in it. */
const runsPerEngine = 50

interface Stage {
  readonly composed: ComposedEngine
  readonly deps: HostDeps
  readonly startedRuns: () => readonly RunId[]
}

/** Nothing is opened before somebody asks. */
export function createMockDesk(parts: MockDeskParts): MockDesk {
  let current: Promise<Stage> | null = null
  /** Somebody may still look at a run of it. */
  let before: Stage | null = null
  const next = async (): Promise<Stage> => {
    const stage = current === null ? null : await current
    if (stage !== null && !(await isUsedUp(stage))) return stage
    if (before !== null) await closeStage(before)
    before = stage
    return openStage(parts)
  }
  return {
    async deps() {
      const opening = next()
      current = opening
      try {
        return (await opening).deps
      } catch (thrown) {
        current = null
        throw thrown
      }
    },
    async close() {
      const stages = [before, await current?.catch(() => null)]
      for (const stage of stages) if (stage !== null && stage !== undefined) await closeStage(stage)
    },
  }
}

async function closeStage({ composed }: Stage): Promise<void> {
  await composed.engine.stop()
  await composed.close()
}

async function isUsedUp({ composed, startedRuns }: Stage): Promise<boolean> {
  const ids = startedRuns()
  if (ids.length < runsPerEngine) return false
  const { store } = composed.engine
  for (const runId of ids) {
    const run = await store.load(partitionOfRun(store.info, runId), 'run', { runId })
    if (run !== null && !runMachine.final.has(run.status)) return false
  }
  return true
}

async function openStage(parts: MockDeskParts): Promise<Stage> {
  const { openInProcess } = await import('./in-memory.ts')
  /** By workflow, as it was when it was started last: what undoes, retries or forks its runs finds them here too. */
  const chosen = new Map<WorkflowId, NodeMocks>()
  const started: RunId[] = []
  let nodesOf: (runId: RunId) => Promise<NodeMocks> = async () => new Map()
  const composed = await openInProcess({
    folder: parts.directory.workflows,
    settings: parts.settings,
    ...parts.sandboxing,
    mocking: { nodes: (runId) => nodesOf(runId), kinds: taskMocksByKind, told: () => undefined },
  })
  const { engine } = composed
  nodesOf = async (runId) => {
    const run = await engine.store.load(partitionOfRun(engine.store.info, runId), 'run', { runId })
    return (run === null ? undefined : chosen.get(run.workflowId)) ?? new Map()
  }
  const note = (json: JsonObject): void => {
    const parsed = parseDocument(json)
    if (parsed.ok) chosen.set(parsed.value.document.id, nodeMocksOf(parsed.value.document, null))
  }
  const guarded = (handlers: Handlers): Handlers => ({
    ...handlers,
    'runs.start': async (request) => {
      note(request.document)
      const answer = await handlers['runs.start'](request)
      started.push(answer.runId)
      return answer
    },
  })
  const { sandboxing: _sandboxing, ...served } = parts
  const { deps } = hosted({ ...served, sandbox: parts.sandboxing.sandbox, engine, guarded, teleport: null })
  return { composed, deps, startedRuns: () => started }
}
