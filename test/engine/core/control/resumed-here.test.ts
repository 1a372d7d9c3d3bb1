/** Who resumes a run may take what goes on in the same commit: nobody else can get it first. */

import { expect, test } from 'vitest'
import { noteCrash } from '../../../../src-engine/core/control/note-crash.ts'
import { pauseRun, resumeRun } from '../../../../src-engine/core/control/pause.ts'
import type { DecisionContext } from '../../../../src-engine/core/draft.ts'
import type { RunState } from '../../../../src-engine/core/run-state.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { Scene } from '../run-scene.ts'
import { sceneOf } from '../run-scene.ts'

const resumeHere = (state: RunState, context: DecisionContext) => resumeRun(state, context, true)

const nodes = { a: { kind: 'noop' }, b: { kind: 'noop' }, c: { kind: 'noop' } }

/** `a` has ended; `b` is set aside by the pause. */
async function paused(): Promise<Scene> {
  const scene = sceneOf({ nodes, edges: edgesOf('a>b', 'b>c') })
  await scene.start()
  await scene.decide(pauseRun, { actor: 'operator', claims: false })
  await scene.end('a')
  expect(scene.state.run.status).toBe('PAUSED')
  return scene
}

test('a resume that claims has the step at work at once', async () => {
  const scene = await paused()
  await scene.decide(resumeHere, { actor: 'operator' })
  expect(scene.started).toEqual(['b'])
  expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'RUNNING' })
  await scene.end('b')
  await scene.end('c')
  expect(scene.state.run.status).toBe('SUCCEEDED')
})

test('it takes no more than it has room for, and nothing when it may not claim', async () => {
  const full = await paused()
  full.capacity = 0
  await full.decide(resumeHere, { actor: 'operator' })
  expect(full.statuses()).toEqual({ a: 'SUCCESS', b: 'REGISTERED' })
  const other = await paused()
  await other.decide(resumeHere, { actor: 'operator', claims: false })
  expect(other.statuses()).toEqual({ a: 'SUCCESS', b: 'REGISTERED' })
  const usual = await paused()
  await usual.decide(resumeRun, { actor: 'operator' })
  expect(usual.statuses()).toEqual({ a: 'SUCCESS', b: 'REGISTERED' })
})

test('the note of a crash changes nothing of the run but its version', async () => {
  const scene = sceneOf({ nodes: { a: { kind: 'noop' } } })
  await scene.start()
  const before = scene.state.run
  const decision = await scene.decide(noteCrash, { actor: 'operator', claims: false })
  expect(scene.state.run).toEqual({ ...before, version: before.version + 1 })
  expect(decision?.checkpoint.events.map(({ body }) => body.type)).toEqual(['run.changed'])
})
