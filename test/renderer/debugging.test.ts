/** Where runs are to stop: set by node, kept in the page's memory, sent with a run, and told to one that is under way. */

import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { blankDocument } from '../../src-renderer/state/blank-document.ts'
import { breakpointsOf } from '../../src-renderer/state/breakpoints-here.ts'
import { clearBreakpoints, putBreakpoint, toggleBreakpoints } from '../../src-renderer/state/debugging.ts'
import { isStandingStill, runWaitWords, waitWords } from '../../src-renderer/status/wait-words.ts'
import { ordinal } from '../../src-renderer/text/debug-words.ts'
import { invocationRecord, runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const a = nodeId('a')
const b = nodeId('b')
const gone = nodeId('gone')

function pageWith(machine = newMachine()) {
  const { designer } = openPage(machine)
  const nodes = { a: { kind: 'noop' }, b: { kind: 'noop' } }
  const document = { ...blankDocument('w'), nodes } as unknown as WorkflowDocument
  designer.document.getState().open({ document, path: null, etag: null }, { draftId: 'd', isSaved: true })
  return { machine, designer }
}

test('set where one is missing, cleared where none is, and kept for the next page', () => {
  const { machine, designer } = pageWith()
  toggleBreakpoints(designer, [a])
  toggleBreakpoints(designer, [a, b])
  expect(breakpointsOf(designer).map((point) => point.nodeId)).toEqual(['a', 'b'])
  putBreakpoint(designer, b, { condition: 'input > 3', nth: 4 })
  expect(breakpointsOf(pageWith(machine).designer)).toEqual([
    { nodeId: 'a', condition: null },
    { nodeId: 'b', condition: 'input > 3', nth: 4 },
  ])
  toggleBreakpoints(designer, [a, b])
  expect(breakpointsOf(designer)).toEqual([])
  putBreakpoint(designer, a, { condition: null })
  clearBreakpoints(designer)
  expect(designer.breakpoints.getState().byWorkflow).toEqual({})
})

test('those of steps that are no more aren’t sent, and broken memory is none', () => {
  const { machine, designer } = pageWith()
  putBreakpoint(designer, gone, { condition: null })
  putBreakpoint(designer, a, { condition: null })
  expect(breakpointsOf(designer)).toEqual([{ nodeId: 'a', condition: null }])
  machine.memory.set('sagasmith.breakpoints', '{"w":[1],')
  expect(breakpointsOf(pageWith(machine).designer)).toEqual([])
})

test('the time at which a breakpoint stops has a name', () => {
  expect([1, 2, 3, 4, 11, 22].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '22nd'])
})

test('a step before which its run stands says so, and why', () => {
  const waitReason = { code: 'breakpoint', message: 'Stopped before “a”. A breakpoint is set there.' }
  const record = invocationRecord('a', { status: 'REROUTED', waitReason, notBefore: 8_640_000_000_000_000 })
  expect(waitWords(record)).toBe(waitReason.message)
  const look = lookOf({
    invocation: record,
    attempts: [],
    isSkipped: false,
    turns: null,
    strip: null,
    undo: null,
  })
  expect(look).toMatchObject({ style: { label: 'Stopped here' }, reason: null, clock: { kind: 'none' } })
  const run = runRecord({ status: 'PAUSED', pauseRequestedAt: 1, waitReason })
  expect(runWaitWords(run)).toBe(waitReason.message)
  expect(isStandingStill(run)).toBe(true)
})
