/** A new run on the canvas: the first step that is chosen then shows what the run did with it. */

import { expect, test } from 'vitest'
import { nodeId, runId } from '../../src-engine/model/ids.ts'
import { showRun } from '../../src-renderer/state/follow-runs.ts'
import { modelOfSnapshot } from '../../src-renderer/state/run-model.ts'
import { openToWrite, startStepLook } from '../../src-renderer/state/step-look.ts'
import { invocationRecord, runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

/** A run that came to `a` and `b`, and not to `c`. */
function withRun() {
  const { designer } = openPage(newMachine())
  Object.assign(designer.connection, { follow: () => () => undefined })
  startStepLook(designer)
  const show = (): void => {
    showRun(designer, { runId: runId('run_1'), site: null, overlay: null, hash: null })
    const invocations = ['a', 'b'].map((node) => invocationRecord(node))
    const snapshot = { run: runRecord(), invocations, skipped: [], epoch: 0, seq: 0 }
    const { current } = designer.runs.getState()
    if (current === null) throw new Error('It was shown.')
    designer.runs.setState({ current: { ...current, live: modelOfSnapshot(snapshot) } })
  }
  const choose = (...nodes: readonly string[]): string => {
    designer.view.getState().select({ nodes: nodes.map(nodeId) })
    return designer.view.getState().panels.inspectorTab
  }
  return { designer, show, choose }
}

test('without a run, a step shows what was looked at of the one before', () => {
  const { choose } = withRun()
  expect(choose('a')).toBe('parameters')
})

test('the first step that is chosen since a run came shows its data; then what is asked for stays', () => {
  const { designer, show, choose } = withRun()
  show()
  expect(choose('a')).toBe('run')
  designer.view.getState().setPanels({ inspectorTab: 'parameters' })
  expect(choose('b')).toBe('parameters')
  show()
  expect(choose('a')).toBe('run')
})

test('a step that is being written when its run is started stays as it is', () => {
  const { show, choose } = withRun()
  choose('a')
  show()
  expect(choose('a')).toBe('parameters')
  expect(choose()).toBe('parameters')
  expect(choose('a')).toBe('run')
})

test('what the run hasn’t come to, and several steps at once, are there to be written', () => {
  const { show, choose } = withRun()
  show()
  expect(choose('c')).toBe('parameters')
  expect(choose('a', 'b')).toBe('parameters')
  expect(choose('b')).toBe('run')
})

test('whoever asked for something else of a step since has it', () => {
  const { designer, show, choose } = withRun()
  show()
  designer.view.getState().setPanels({ inspectorTab: 'settings' })
  expect(choose('a')).toBe('settings')
})

test('whoever goes into a step by key writes its fields, and reads the run’s data only where that was asked for', () => {
  const { designer, show, choose } = withRun()
  const tab = (): string => {
    openToWrite(designer)
    const { inspectorTab, isInspectorOpen } = designer.view.getState().panels
    return isInspectorOpen ? inspectorTab : ''
  }
  show()
  choose('a')
  expect(tab()).toBe('parameters')
  designer.view.getState().setPanels({ isInspectorOpen: false, inspectorTab: 'run' })
  choose('b')
  expect(tab()).toBe('run')
})
