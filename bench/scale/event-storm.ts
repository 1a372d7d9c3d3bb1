/** T2: events as fast as they come, each of which starts one run; none is lost, none is doubled. */

import { nodeId, workflowId } from '../../src-engine/model/ids.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { inFlight, timed } from './scale-row.ts'

/** Senders at a time. */
const lanes = 256
const warmUp = 1_000
const pageSize = 500

const document: WorkflowDocument = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('on-event'),
  title: 'On event',
  nodes: { [nodeId('step')]: { kind: 'noop' } },
  edges: {},
  triggers: { told: { kind: 'event', parameters: { name: 'order.*', filter: { wanted: true } } } },
}

/** How often each event started a run. */
async function startsOf({ store }: Engine): Promise<ReadonlyMap<number, number>> {
  const starts = new Map<number, number>()
  const filter = { statuses: null, workflowId: document.id, includeCore: false }
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.list<'runs'>>> = await store.list(0, 'runs', {
      filter,
      page: { after, limit: pageSize },
    })
    for (const { input } of page) {
      if (input.kind !== 'inline') continue
      const { number } = JSON.parse(input.json) as { readonly number: number }
      starts.set(number, (starts.get(number) ?? 0) + 1)
    }
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize || after === null) return starts
  }
}

/** Events a second, told and matched; every second one is sent twice, every fourth isn't wanted. */
export async function eventStorm({ directory, say }: Bench, events: number): Promise<readonly ScaleRow[]> {
  const { engine, close } = await composeEngine({
    directory: dataDirectory(directory),
    clock: systemClock,
    settings: engineSettings({ maxConcurrentTasks: 512 }),
    log: { debug() {}, info() {}, warn: console.error, error: console.error },
  })
  await engine.start()
  await engine.publishing.publish({ document, baseDirectory: null })
  const tell = async (number: number): Promise<void> => {
    const payload = { number, wanted: number % 4 !== 0 }
    const request = { name: 'order.paid', payload, correlation: null, runId: null }
    const messageId = number % 2 === 0 ? `order ${number}` : null
    await engine.emitEvent({ ...request, messageId })
    if (messageId !== null) await engine.emitEvent({ ...request, messageId })
  }
  await inFlight(warmUp, lanes, (index) => tell(index))
  const { ms } = await timed(() => inFlight(events, lanes, (index) => tell(warmUp + index)))
  const starts = await startsOf(engine)
  let wrong = 0
  for (let number = 0; number < warmUp + events; number += 1)
    if ((starts.get(number) ?? 0) !== (number % 4 === 0 ? 0 : 1)) wrong += 1
  await close()
  say(`${events} events in ${(ms / 1_000).toFixed(1)} s, ${starts.size} runs`)
  return [
    {
      goal: 'T2',
      what: 'events told and matched',
      found: events / (ms / 1_000),
      unit: '/s',
      gate: 1_000,
      atLeast: true,
    },
    { goal: 'T2', what: `of ${warmUp + events} events, lost or doubled`, found: wrong, unit: '', gate: 0 },
  ]
}
