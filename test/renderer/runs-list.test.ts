/** The list of runs follows what concerns all runs, and asks for its counts when steps went on. */

import { expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { RunSummary } from '../../src-engine/protocol/api.ts'
import type { SubscriptionHandlers } from '../../src-engine/protocol/client.ts'
import { filterRuns, loadMoreRuns, startRunsList } from '../../src-renderer/state/follow-runs.ts'
import { eventOf, runRecord } from './factories.ts'
import { newMachine, openPage, settled } from './fake-designer.ts'

/** A list of which the older page is still on its way. */
async function asking() {
  const machine = newMachine()
  const { designer } = openPage(machine)
  let answer = (): void => undefined
  const entry = (id: string) => ({ run: runRecord({ id: runId(id) }), counts: {} }) as unknown as RunSummary
  designer.runs.getState().setList([entry('run_2'), entry('run_1')], true)
  Object.assign(machine.methods, {
    'runs.list': ({ after }: { readonly after: string | null }) =>
      after === null
        ? { runs: [entry('run_9')], next: null }
        : new Promise((settle) => {
            answer = () => settle({ runs: [entry('run_0')], next: null })
          }),
  })
  const more = loadMoreRuns(designer)
  await settled()
  const came = async (): Promise<readonly string[]> => {
    answer()
    await more
    return designer.runs.getState().list.map(({ run }) => run.id)
  }
  return { designer, entry, came }
}

it('keeps what began while its older page was on the way', async () => {
  const { designer, entry, came } = await asking()
  const { list: before, setList } = designer.runs.getState()
  setList([entry('run_3'), ...before], true)
  expect(await came()).toEqual(['run_3', 'run_2', 'run_1', 'run_0'])
})

it('takes no older page of what it was narrowed to before', async () => {
  const { designer, came } = await asking()
  await filterRuns(designer, { statuses: ['FAILED'], workflowId: null })
  expect(await came()).toEqual(['run_9'])
})

async function list() {
  const machine = newMachine()
  let asked = 0
  Object.assign(machine.methods, {
    'runs.list': () => {
      asked += 1
      return { runs: [], next: null }
    },
  })
  const { designer, pass } = openPage(machine)
  const topics: unknown[] = []
  let line: SubscriptionHandlers | null = null
  Object.assign(designer.connection, {
    follow: (topic: unknown, handlers: SubscriptionHandlers) => {
      topics.push(topic)
      line = handlers
      return () => undefined
    },
  })
  const seen: (readonly EngineEvent[])[] = []
  startRunsList(designer, (events) => void seen.push(events))
  await pass()
  const tell = (events: readonly EngineEvent[]): void => line?.events(events, [])
  return { topics, seen, pass, tell, asked: () => asked }
}

it('hears only what concerns all runs, so that no step of the shown run is told twice', async () => {
  const { topics } = await list()
  expect(topics).toEqual([{ kind: 'runs' }])
})

it('is asked for once for all that came meanwhile, also when only steps went on', async () => {
  const { tell, pass, asked, seen } = await list()
  const before = asked()
  const created = [eventOf({ type: 'run.created', run: runRecord() })]
  tell([])
  tell(created)
  tell([])
  await pass()
  expect(asked()).toBe(before + 1)
  // Whoever waits for an event isn't told of none.
  expect(seen).toEqual([created])
})
