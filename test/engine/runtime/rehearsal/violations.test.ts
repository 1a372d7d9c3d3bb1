/** The judge of rehearsals sees what it is there for: a real rollback, with something wrong planted in it. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EngineEvent } from '../../../../src-engine/model/event.ts'
import type { InvocationId } from '../../../../src-engine/model/ids.ts'
import { invocationId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import { sagaCoverage } from '../../../../src-engine/model/saga-coverage.ts'
import { storyOf } from '../../../../src-engine/runtime/rehearsal/story.ts'
import { violationsIn } from '../../../../src-engine/runtime/rehearsal/violations.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const give: JsonObject = { kind: 'transform', parameters: { expression: '1' } }
const undone: JsonObject = { ...give, sideEffect: 'idempotent', compensation: { task: give } }
const parts = {
  nodes: {
    a: undone,
    b: undone,
    c: { kind: 'stop', parameters: { status: 'failed', message: 'No van.' } },
  },
  edges: edgesOf('a>b', 'b>c'),
}

const scene = new FlowScene(createMemoryStore())
let events: readonly EngineEvent[] = []
let run = ''
beforeAll(async () => {
  await scene.launch()
  const { id } = await scene.play(parts)
  run = id
  events = await eventsOfRun(scene.store, id)
})
afterAll(() => scene.close())

const of = (name: string): InvocationId => invocationId(`${run}/${name}`)
const isOf = (name: string) => (event: EngineEvent) => event.invocationId === of(name)

const codesOf = (told: readonly EngineEvent[], status: RunStatus = 'COMPENSATED') => {
  const document = documentOf(parts)
  const coverage = sagaCoverage(document, taskSpecsByKind)
  const found = violationsIn({ document, coverage, story: storyOf(told), status })
  return [...new Set(found.map(({ code }) => code))]
}

test('a rollback as it should be breaks no rule', () => {
  expect(storyOf(events).undoings.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS'])
  expect(codesOf(events)).toEqual([])
})

test('what was undone in the order in which it was done is seen', () => {
  const other = new Map([
    [of('a~undo'), of('b~undo')],
    [of('b~undo'), of('a~undo')],
  ])
  const swapped = events.map((event) => {
    const id = event.body.type === 'invocation.changed' ? event.invocationId : null
    const isRecorded = event.body.type === 'invocation.changed' && event.body.to === 'WAITING'
    return id === null || isRecorded ? event : { ...event, invocationId: other.get(id) ?? id }
  })
  expect(codesOf(swapped)).toEqual(['wrong_order'])
})

test('what began to be undone before the one after it was is seen', () => {
  const isBegin = (event: EngineEvent): boolean =>
    isOf('a~undo')(event) && event.body.type === 'invocation.changed' && event.body.to === 'RUNNING'
  const begin = events.filter(isBegin)
  const rest = events.filter((event) => !isBegin(event))
  const end = rest.findLastIndex(isOf('b~undo'))
  expect(begin).toHaveLength(1)
  expect(codesOf([...rest.slice(0, end), ...begin, ...rest.slice(end)])).toEqual(['wrong_order'])
})

test('what was undone twice is seen', () => {
  const again = events.filter(isOf('a~undo')).map((event): EngineEvent => {
    const id = of('a~undo2')
    const { body } = event
    if (body.type !== 'invocation.registered') return { ...event, invocationId: id }
    return { ...event, invocationId: id, body: { ...body, invocation: { ...body.invocation, id } } }
  })
  expect(codesOf([...events, ...again])).toContain('undone_twice')
})

test('what had its effect and was not undone is seen, also where nothing was recorded', () => {
  expect(codesOf(events.filter((event) => !isOf('a~undo')(event)))).toEqual(['not_undone'])
  const recorded = events.filter(
    ({ invocationId: id, body }) =>
      id !== of('a~undo') || body.type === 'invocation.registered' || bodyTo(body) === 'WAITING',
  )
  expect(codesOf(recorded)).toEqual(['not_undone'])
  expect(codesOf(recorded, 'COMPENSATION_FAILED')).toEqual([])
})

test('what was undone though it never was done, or though the run went well, is seen', () => {
  const never = events.filter((event) => !isOf('a')(event) || bodyTo(event.body) !== 'RUNNING')
  expect(codesOf(never)).toEqual(['undone_for_nothing'])
  expect(codesOf(events, 'SUCCEEDED')).toEqual(['undone_for_nothing'])
})

test('a run that ends as if nothing had been undone is seen', () => {
  expect(codesOf(events, 'FAILED')).toEqual(['wrong_end'])
})

const bodyTo = (body: EngineEvent['body']): string | null =>
  body.type === 'invocation.changed' ? body.to : null
