/** What people do about a run that has come to rest; whoever comes after a crash sees what was done and goes on. */

import type { RunRecord } from '../../src-engine/model/run.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'

/** Whether the run is to go on with it. */
type Operator = (engine: Engine, run: RunRecord) => Promise<boolean>

const by = 'ada'
/** Further ones mean that the run never gets past what was released. */
const generationMax = 3

/** What undoes a step is tried again once, then passed over. */
const answersUndo: Operator = async (engine, { id: runId, status }) => {
  if (status !== 'COMPENSATION_FAILED') return false
  const { entries } = await engine.saga.show(runId)
  const failed = entries.find(({ state }) => state === 'failed')
  const action = failed?.id.endsWith('~undo') === true ? 'retry' : 'skip'
  await engine.saga.act({ runId, action, of: null, by, reason: 'It was seen.' })
  return true
}

async function heldOf({ outputs }: Engine, runId: RunRecord['id']) {
  return (await outputs.quarantine.list({ workflowId: null, runId, after: null, limit: 10 })).entries
}

/** What is held back is released, and its run goes on with it. */
const releases: Operator = async (engine, { id: runId, status, generation }) => {
  if (status !== 'FAILED') return false
  if (generation > generationMax) throw new Error('what was released is held back again and again')
  const [held] = await heldOf(engine, runId)
  if (held !== undefined) {
    const { invocationId } = held
    await engine.outputs.quarantine.release({ invocationId, by, reason: 'Known.', goOn: true })
    return true
  }
  // The release came through, and its runner died before the run went on.
  const again = { nodeId: null, input: null, version: 'same', document: null } as const
  await engine.retryRun({ runId, ...again, by, reason: 'released' })
  return true
}

/** What is held back is thrown away, and the run stays as it is. */
const discards: Operator = async (engine, { id: runId }) => {
  const [held] = await heldOf(engine, runId)
  if (held === undefined) return false
  await engine.outputs.quarantine.discard({ invocationId: held.invocationId, by, reason: 'No use.' })
  return true
}

/** Nothing is done about it but to look until what is to be left out of a result is left out. */
const seesRedaction: Operator = async ({ store }, { id: runId }) => {
  const records = await store.load(0, 'invocations', { runId })
  return !records.some(
    ({ nodeId, dispatch }) => nodeId === 'wide' && dispatch?.check?.standing === 'redacted',
  )
}

export const operators = { answersUndo, releases, discards, seesRedaction } as const satisfies Record<
  string,
  Operator
>

export type OperatorName = keyof typeof operators
