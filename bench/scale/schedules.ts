/** T1: ten thousand schedules that aren't due, against one; on a file and in memory. */

import { definitionHash, nodeId, workflowId } from '../../src-engine/model/ids.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import { day } from '../../src-engine/model/time.ts'
import type { WorkflowDocument, WorkflowTrigger } from '../../src-engine/model/workflow.ts'
import { createCronPlans } from '../../src-engine/runtime/triggers/cron-kind.ts'
import type { DueTriggersParts } from '../../src-engine/runtime/triggers/due-triggers.ts'
import { createDueTriggers } from '../../src-engine/runtime/triggers/due-triggers.ts'
import { registerTriggers } from '../../src-engine/runtime/triggers/registration.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { quantile, spansOf } from './scale-row.ts'

const perWorkflow = 100
const ticks = 2_000
const warmUpTicks = 500
const hash = definitionHash(`w1_${'0'.repeat(64)}`)
const fence = { key: 'atomic-service/running', version: 0 }

/** One day after another, each at a minute of its own. */
const daily = (index: number): WorkflowTrigger => ({
  kind: 'cron',
  parameters: { expression: `${index % 60} ${Math.floor(index / 60) % 24} * * *` },
})

function documentOf(number: number, count: number): WorkflowDocument {
  const triggers = Array.from({ length: count }, (_, index) => [`t${index}`, daily(number + index)] as const)
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(`scheduled-${number}`),
    title: 'Scheduled',
    nodes: { [nodeId('step')]: { kind: 'noop' } },
    edges: {},
    triggers: Object.fromEntries(triggers),
  }
}

/** What a tick does while nothing is due. */
function tickOf(
  store: Store,
  now: Instant,
): { readonly parts: DueTriggersParts; readonly tick: () => Promise<void> } {
  let serial = 0
  const known = {
    ...{ store, partition: 0, plans: createCronPlans() },
    clock: { now: () => now },
    ids: { next: () => `bench${(serial += 1)}` },
    log: { debug() {}, info() {}, warn: console.error, error: console.error },
  }
  // Nothing is due, so nothing is started.
  const parts = known as unknown as DueTriggersParts
  const due = createDueTriggers(parts)
  return {
    parts,
    tick: async () => {
      await due.refresh()
      await due.evaluate({ fence })
    },
  }
}

async function medianTickMs(store: Store, schedules: number): Promise<number> {
  // Between two slots of any of them.
  const now = Math.floor(Date.now() / day) * day + 30_000
  const { parts, tick } = tickOf(store, now)
  for (let number = 0; number * perWorkflow < schedules; number += 1) {
    const document = documentOf(number, Math.min(perWorkflow, schedules - number * perWorkflow))
    await registerTriggers(parts, { document, hash, baseDirectory: null })
  }
  await spansOf(warmUpTicks, tick)
  return quantile(await spansOf(ticks, tick), 0.5)
}

/** What ten thousand schedules cost a look at what is due. */
export async function schedules({ open, say }: Bench, many: number): Promise<readonly ScaleRow[]> {
  const rows: ScaleRow[] = []
  for (const [name, one, other] of [
    ['SQLite', await open('one'), await open('many')],
    ['memory', createMemoryStore(), createMemoryStore()],
  ] as const) {
    const few = await medianTickMs(one, 1)
    const full = await medianTickMs(other, many)
    say(`${name}: a tick takes ${few.toFixed(3)} ms with one schedule, ${full.toFixed(3)} ms with ${many}`)
    await one.close()
    await other.close()
    const what = `${name}: what ${many} schedules add to a tick`
    rows.push({ goal: 'T1', what, found: full - few, unit: 'ms', gate: 3 })
  }
  return rows
}
