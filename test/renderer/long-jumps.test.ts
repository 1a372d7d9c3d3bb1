/** A jump into a run that is long never holds up the page: what isn't made yet is made a little at a time. */

import { expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import type { SubscriptionHandlers } from '../../src-engine/protocol/client.ts'
import { openTimeline, showRunAgain } from '../../src-renderer/state/follow-runs.ts'
import { shownModel } from '../../src-renderer/state/runs-store.ts'
import { eventOf, invocationRecord, runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const length = 50_000

function longRun(): readonly EngineEvent[] {
  const begin = [
    eventOf({ type: 'run.created', run: runRecord() }),
    eventOf({ type: 'invocation.registered', invocation: invocationRecord('pay') }, 'pay'),
  ]
  const moves = Array.from({ length: length - begin.length }, (_, index) =>
    eventOf(
      {
        ...{ type: 'invocation.changed', from: 'RUNNING', to: 'RUNNING', attempt: null },
        set: { version: 2 + index },
      },
      'pay',
    ),
  )
  return [...begin, ...moves]
}

/** A run whose events have just come, before anything was made of them. */
function follow() {
  const machine = newMachine()
  Object.assign(machine.methods, { 'runs.attempts': () => [] })
  const { designer } = openPage(machine)
  const lines: SubscriptionHandlers[] = []
  let later: (() => void)[] = []
  Object.assign(designer.connection, {
    follow: (_topic: unknown, handlers: SubscriptionHandlers) => {
      lines.push(handlers)
      return () => undefined
    },
  })
  Object.assign(designer.ambient, {
    after: (_ms: number, call: () => void) => {
      later.push(call)
      return () => {
        later = later.filter((one) => one !== call)
      }
    },
  })
  showRunAgain(designer, { runId: runRecord().id, site: null, overlay: null, hash: null, shownOn: null })
  openTimeline(designer)
  const events = longRun()
  lines.at(-1)?.events(events, [])
  const current = () => {
    const found = designer.runs.getState().current
    if (found?.timeline === undefined || found.timeline === null) throw new Error('There is a timeline.')
    return { run: found, timeline: found.timeline }
  }
  /** One piece of work that was put off. */
  const work = (): boolean => {
    const next = later.shift()
    next?.()
    return next !== undefined
  }
  return { designer, events, current, work }
}

it('the playhead moves at once, and what was then is shown as soon as it is known', () => {
  const { designer, events, current, work } = follow()
  const place = 42_500
  const before = shownModel(current().run)
  designer.runs.getState().movePlayhead(place)
  expect(current().timeline).toMatchObject({ position: place, isComing: true, isLive: false })
  expect(shownModel(current().run)).toBe(before)
  let pieces = 0
  while (current().timeline.isComing && work()) pieces += 1
  expect(pieces).toBeGreaterThan(5)
  expect(shownModel(current().run).replay).toEqual(replayRun(events.slice(0, place)))
})

it('a near moment is shown at once, and each once all was made', () => {
  const { designer, events, current, work } = follow()
  const { movePlayhead } = designer.runs.getState()
  movePlayhead(1_700)
  expect(current().timeline.isComing).toBe(false)
  expect(shownModel(current().run).replay).toEqual(replayRun(events.slice(0, 1_700)))
  while (work());
  for (const place of [49_999, 12, 30_000]) {
    movePlayhead(place)
    expect(current().timeline.isComing).toBe(false)
    expect(shownModel(current().run).replay).toEqual(replayRun(events.slice(0, place)))
  }
})

it('who is back at the newest event waits for nothing', () => {
  const { designer, current, work } = follow()
  designer.runs.getState().movePlayhead(42_500)
  designer.runs.getState().goLive()
  expect(current().timeline).toMatchObject({ position: length, isComing: false, isLive: true })
  while (work());
  expect(current().timeline).toMatchObject({ position: length, isLive: true })
})
