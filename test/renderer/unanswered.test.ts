/** While the engine is away, nothing is asked of a run: what was pressed would be done by nobody, and told late. */

import { expect, test } from 'vitest'
import type { SagasmithError } from '../../src-engine/model/errors.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { commandOf } from '../../src-renderer/commands/registry.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import type { ShownRun } from '../../src-renderer/state/runs-store.ts'
import type { Site } from '../../src-renderer/state/site.ts'
import { isAnswered } from '../../src-renderer/state/site-lines.ts'
import { runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const shownOf = (changes: Partial<RunRecord>, site: Site = null): Designer => {
  const { designer } = openPage(newMachine())
  const place: ShownRun = { runId: runId('run_1'), site, overlay: null, hash: null, shownOn: null }
  const { runs } = designer
  runs.getState().show(place, new Map())
  const { current } = runs.getState()
  if (current === null) throw new Error('It was shown.')
  const { live } = current
  const run = runRecord({ id: place.runId, ...changes })
  runs.setState({ current: { ...current, live: { ...live, replay: { ...live.replay, run } } } })
  return designer
}

const loseEngine = ({ connection }: Designer): void =>
  connection.state.setState({ status: 'lost', reason: {} as SagasmithError }, true)

test.for([
  ['run.cancel', { status: 'RUNNING' }],
  ['run.pause', { status: 'RUNNING' }],
  ['run.resume', { status: 'PAUSED' }],
  ['run.retry', { status: 'FAILED', finishedAt: 9 }],
] as const)('%s waits for the engine', ([id, changes]) => {
  const designer = shownOf(changes)
  const { isEnabled } = commandOf(id)
  expect(isEnabled(designer)).toBe(true)
  loseEngine(designer)
  expect(isEnabled(designer)).toBe(false)
})

test('a run of a cluster asks that cluster: whether this computer answers is no matter', () => {
  const plant = { name: 'plant', colour: 'amber', readOnly: false } as const
  const designer = shownOf({ status: 'RUNNING' }, plant)
  loseEngine(designer)
  expect(isAnswered(designer, plant)).toBe(true)
  expect(isAnswered(designer, null)).toBe(false)
  expect(commandOf('run.cancel').isEnabled(designer)).toBe(true)
})
