/** The shown run takes every event of its line, all that came since the last frame at once. */

import { expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import type { SubscriptionHandlers } from '../../src-engine/protocol/client.ts'
import { showRunAgain } from '../../src-renderer/state/follow-runs.ts'
import { attemptRecord, eventOf, invocationRecord, runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const steps = 2_000
const transitions = 20_000
/** As many as come to a page in one message while five thousand happen in a second. */
const inMessage = 83

/** A shown run whose line and frames the test moves. */
function follow() {
  const machine = newMachine()
  Object.assign(machine.methods, { 'runs.attempts': () => [] })
  const { designer } = openPage(machine)
  const frames: (() => void)[] = []
  let line: SubscriptionHandlers | null = null
  Object.assign(designer.connection, {
    follow: (_topic: unknown, handlers: SubscriptionHandlers) => {
      line = handlers
      return () => undefined
    },
  })
  Object.assign(designer.ambient, { onFrame: (call: () => void) => void frames.push(call) })
  const run = { runId: runRecord().id, site: null, overlay: null, hash: null, shownOn: null }
  const show = (): void => showRunAgain(designer, run)
  show()
  const tell = (events: readonly EngineEvent[]): void => line?.events(events, [])
  const print = (text: string): void => {
    const printed = { at: 0, level: 'info', stream: 'stdout', text } as const
    line?.live?.([{ invocationId: 'step' as never, line: printed }])
  }
  const draw = (): void => {
    for (const frame of frames.splice(0)) frame()
  }
  const snapshot = (events: readonly EngineEvent[]): void => {
    const { run: record, invocations, skipped } = replayRun(events)
    const place = { epoch: 0, seq: events.length }
    if (record !== null)
      line?.snapshot?.({ run: record, invocations: [...invocations.values()], skipped, ...place }, [])
  }
  return { designer, show, tell, snapshot, print, draw }
}

function storm(): readonly EngineEvent[] {
  const cycle = ['REGISTERED', 'PENDING', 'RUNNING', 'REGISTERED'] as const
  return Array.from({ length: transitions }, (_, place) => {
    const turn = Math.floor(place / steps)
    const node = `n${(place * 7) % steps}`
    const [from, to] = [cycle[turn % 3] ?? 'REGISTERED', cycle[(turn % 3) + 1] ?? 'REGISTERED']
    const attempt = turn % 3 === 2 ? attemptRecord(node, { number: turn }) : null
    return eventOf({ type: 'invocation.changed', from, to, set: { version: turn + 2 }, attempt }, node)
  })
}

it('no event is lost, a frame changes the run once, and a step that nothing happened to stays the same', () => {
  const { designer, tell, draw } = follow()
  const begin = [
    eventOf({ type: 'run.created', run: runRecord() }),
    ...Array.from({ length: steps }, (_, index) =>
      eventOf({ type: 'invocation.registered', invocation: invocationRecord(`n${index}`) }, `n${index}`),
    ),
  ]
  tell(begin)
  draw()
  const events = storm()
  let [changes, frames, redrawn] = [0, 0, 0]
  const stop = designer.runs.subscribe((now, before) => {
    changes += 1
    for (const [id, node] of now.current?.live.nodes ?? []) {
      if (before.current?.live.nodes.get(id) !== node) redrawn += 1
    }
  })
  for (let from = 0; from < events.length; from += inMessage) {
    tell(events.slice(from, from + inMessage))
    // Some frames come late: two messages are taken by one.
    if (frames % 3 === 2 || (from / inMessage) % 4 !== 0) draw()
    frames += 1
  }
  draw()
  stop()
  expect(changes).toBeLessThan(frames)
  // Each of these events is about another step than the others of its frame.
  expect(redrawn).toBe(transitions)
  expect(designer.runs.getState().current?.live.replay).toEqual(replayRun([...begin, ...events]))
})

it('what came before the run was shown anew is not put on its newer snapshot', () => {
  const { designer, show, tell, snapshot, draw } = follow()
  const begin = [
    eventOf({ type: 'run.created', run: runRecord() }),
    eventOf({ type: 'invocation.registered', invocation: invocationRecord('step') }, 'step'),
  ]
  const status = (to: 'PENDING' | 'RUNNING', version: number) =>
    eventOf({ type: 'invocation.changed', from: 'REGISTERED', to, set: { version }, attempt: null }, 'step')
  const [older, newer] = [status('PENDING', 2), status('RUNNING', 3)]
  tell(begin)
  draw()
  // The frame of this event is late: the run is shown on another version before it comes.
  tell([older])
  show()
  snapshot([...begin, older, newer])
  draw()
  expect(designer.runs.getState().current?.live.nodes.get('step')?.invocation?.version).toBe(3)
})

it('a snapshot that comes in the middle, for a page that was stuck, is begun anew with: nothing is printed twice', () => {
  const { designer, tell, snapshot, print, draw } = follow()
  const begin = [
    eventOf({ type: 'run.created', run: runRecord() }),
    eventOf({ type: 'invocation.registered', invocation: invocationRecord('step') }, 'step'),
  ]
  const status = (to: 'PENDING' | 'RUNNING', version: number) =>
    eventOf({ type: 'invocation.changed', from: 'REGISTERED', to, set: { version }, attempt: null }, 'step')
  const [seen, missed, later] = [status('PENDING', 2), status('RUNNING', 3), status('RUNNING', 4)]
  snapshot(begin)
  print('one')
  tell([seen])
  // It comes before the frame that would have drawn what it tells already.
  snapshot([...begin, seen, missed])
  print('one')
  print('two')
  tell([later])
  draw()
  const current = designer.runs.getState().current
  expect(current?.live.replay.invocations).toEqual(replayRun([...begin, seen, missed, later]).invocations)
  expect([...(current?.liveLines.values() ?? [])].flat().map(({ text }) => text)).toEqual(['one', 'two'])
})

it('an end that a stuck page missed is said aloud when its snapshot comes, and an opened run is not', () => {
  const { designer, snapshot } = follow()
  const begin = [eventOf({ type: 'run.created', run: runRecord({ status: 'RUNNING' }) })]
  const said = () => designer.view.getState().announcement
  const before = said()
  snapshot(begin)
  expect(said()).toBe(before)
  snapshot([...begin, eventOf({ type: 'run.changed', from: 'RUNNING', to: 'SUCCEEDED', set: {} })])
  expect(said()).toContain('Succeeded')
})
