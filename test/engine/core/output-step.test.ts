/** The run's output as an expression: a step of its own after everything else. */

import { expect, test } from 'vitest'
import { failed, json, sceneOf, succeeded } from './run-scene.ts'

const withOutput = () =>
  sceneOf({ nodes: { a: { kind: 'noop' } }, edges: {}, settings: { output: 'nodes.a.output.total' } })

test('the output expression runs once every node is done, and its value is the run’s output', async () => {
  const scene = withOutput()
  await scene.start()
  expect(scene.state.invocations.size).toBe(1)
  await scene.end('a', succeeded({ total: 7 }))
  expect(scene.state.run.status).toBe('RUNNING')
  expect(scene.record('$output').status).toBe('RUNNING')
  await scene.end('$output', succeeded(7))
  expect(scene.state.run).toMatchObject({ status: 'SUCCEEDED', output: json(7) })
})

test('an output expression that fails fails the run with its own error', async () => {
  const scene = withOutput()
  await scene.start()
  await scene.end('a', succeeded({}))
  await scene.end('$output', failed('expression_failed', false))
  expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'expression_failed' } })
})

test('a run that fails before has no output step', async () => {
  const scene = withOutput()
  await scene.start()
  await scene.end('a', failed('task_failed', false))
  expect(scene.state.run.status).toBe('FAILED')
  expect([...scene.state.invocations.values()].map(({ nodeId }) => nodeId)).toEqual(['a'])
})
