/** The list of runs follows what concerns all runs, and asks for its counts when steps went on. */

import { expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { SubscriptionHandlers } from '../../src-engine/protocol/client.ts'
import { startRunsList } from '../../src-renderer/state/follow-runs.ts'
import { eventOf, runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

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
