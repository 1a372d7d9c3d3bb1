import { describe, expect, test } from 'vitest'
import { runId } from '../../src-engine/model/ids.ts'
import { inkOf, lookOf } from '../../src-renderer/canvas/node-look.ts'
import { EventLog } from '../../src-renderer/state/event-log.ts'
import { advance, emptyRunModel } from '../../src-renderer/state/run-model.ts'
import { createRunsStore, isUnderWay, shownModel } from '../../src-renderer/state/runs-store.ts'
import { TimelineReading } from '../../src-renderer/state/timeline-reading.ts'
import { RowsBuilder } from '../../src-renderer/state/timeline-rows.ts'
import { attemptRecord, eventOf, happyEvents, invocationRecord, runRecord } from './factories.ts'

describe('run model', () => {
  const events = happyEvents()

  test('a node that an event does not touch keeps its view', () => {
    const two = [
      ...events.slice(0, 2),
      eventOf({ type: 'invocation.registered', invocation: invocationRecord('b') }, 'b'),
    ]
    const before = advance(emptyRunModel, two)
    const after = advance(before, [
      eventOf({ type: 'invocation.changed', from: 'REGISTERED', to: 'PENDING', set: {}, attempt: null }, 'b'),
    ])
    expect(after.nodes.get('a')).toBe(before.nodes.get('a'))
    expect(after.nodes.get('b')).not.toBe(before.nodes.get('b'))
  })

  test('a skipped node says so, and its edges are dimmed', () => {
    const model = advance(emptyRunModel, [
      eventOf({ type: 'run.created', run: runRecord() }),
      eventOf({ type: 'node.skipped', nodeId: invocationRecord('z').nodeId, path: '', generation: 0 }),
    ])
    const node = model.nodes.get('z')
    expect(node === undefined ? null : lookOf(node).style.label).toBe('Skipped')
    expect(inkOf(node ?? null, 'out')).toBe('dimmed')
  })
})

describe('ink', () => {
  const run = (changes: Parameters<typeof invocationRecord>[1]) => ({
    invocation: invocationRecord('a', changes),
    attempts: [],
    isSkipped: false,
    turns: null,
    strip: null,
    undo: null,
  })
  test.for([
    [{ status: 'SUCCESS', finishedAt: 1, ports: ['true'] }, 'true', 'taken'],
    [{ status: 'SUCCESS', finishedAt: 1, ports: ['true'] }, 'false', 'dimmed'],
    [{ status: 'SUCCESS', finishedAt: 1, ports: null }, 'out', 'taken'],
    [{ status: 'SUCCESS', finishedAt: 1, ports: null }, 'error', 'dimmed'],
    [{ status: 'FAILED', finishedAt: 1, ports: ['error'] }, 'error', 'failed'],
    [{ status: 'FAILED', finishedAt: 1, ports: null }, 'out', 'dimmed'],
    [{ status: 'RUNNING', finishedAt: null }, 'out', 'none'],
  ] as const)('%o by %s is %s', ([changes, port, ink]) => expect(inkOf(run(changes), port)).toBe(ink))
})

describe('runs store', () => {
  const open = () => {
    const store = createRunsStore()
    store
      .getState()
      .show({ site: null, runId: runId('run-1'), overlay: null, hash: null, shownOn: null }, new Map())
    return store
  }

  test('events move the shown run until it has ended', () => {
    const store = open()
    const events = happyEvents()
    store.getState().takeEvents(events.slice(0, 4))
    expect(isUnderWay(store.getState().current)).toBe(true)
    store.getState().takeEvents(events.slice(4))
    expect(isUnderWay(store.getState().current)).toBe(false)
  })

  test('the playhead rules what is shown, and live takes it back to the end', () => {
    const store = open()
    const events = happyEvents()
    store.getState().takeEvents(events)
    store.getState().showTimeline(EventLog.empty().append(events), new TimelineReading())
    store.getState().movePlayhead(4)
    const statusOf = () => {
      const { current } = store.getState()
      return current === null ? null : shownModel(current).nodes.get('a')?.invocation?.status
    }
    expect(statusOf()).toBe('RUNNING')
    store.getState().movePlayhead(2)
    expect(statusOf()).toBe('REGISTERED')
    store.getState().movePlayhead(-5)
    expect(statusOf()).toBeUndefined()
    store.getState().goLive()
    expect(statusOf()).toBe('SUCCESS')
  })

  test('bars follow statuses from event to event', () => {
    const builder = new RowsBuilder()
    builder.take(happyEvents())
    const [bar] = builder.rows().lanes
    expect(bar?.stretches.map((part) => part.status)).toEqual(['REGISTERED', 'PENDING', 'RUNNING', 'SUCCESS'])
    expect(bar?.stretches.every((part) => part.to !== null)).toBe(true)
  })
})

describe('attempts', () => {
  test('one that is fetched and also comes with its event is there once', () => {
    const store = createRunsStore()
    store
      .getState()
      .show({ runId: runId('run-1'), site: null, overlay: null, hash: null, shownOn: null }, new Map())
    const [created, registered, pending, running, done] = happyEvents()
    if (done?.body.type !== 'invocation.changed') throw new Error('The fifth event ends the attempt.')
    const attempt = attemptRecord('a')
    const events = [created, registered, pending, running].filter((event) => event !== undefined)
    store.getState().takeEvents(events)
    store.getState().takeAttempts(runId('run-1'), [attempt])
    store.getState().takeEvents([{ ...done, body: { ...done.body, attempt } }])
    expect(store.getState().current?.live.nodes.get('a')?.attempts).toEqual([attempt])
  })
})
