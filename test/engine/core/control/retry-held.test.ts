/** Going on with a run one of whose results was held back after it had been handed on. */

import { expect, test } from 'vitest'
import { retryRun } from '../../../../src-engine/core/control/retry-run.ts'
import { quarantineLate } from '../../../../src-engine/core/output/hold-back.ts'
import { heldCheck } from '../output/held-check.ts'
import { failed, sceneOf, succeeded } from '../run-scene.ts'

test('a step whose result was held back once others had begun with it begins anew, also where it had chosen a way', async () => {
  const scene = sceneOf({
    nodes: { a: { kind: 'if', parameters: { condition: 'true' } }, b: { kind: 'noop' } },
    edges: { ab: { from: { node: 'a', port: 'true' }, to: { node: 'b', port: 'in' } } },
  })
  await scene.start()
  await scene.end('a', succeeded(1, ['true']))
  await scene.end('b', failed())
  const { id } = scene.record('a')
  await scene.decide((state, context) => quarantineLate(state, context, { id, check: heldCheck }), {
    actor: 'scan',
    claims: false,
  })
  expect(scene.record('a')).toMatchObject({ status: 'OUTPUT_QUARANTINED', ports: ['true'] })
  await scene.decide(
    (state, context) => {
      const { workflow, run } = state
      const same = { workflow, hash: run.definitionHash, publish: null, meanings: null }
      return retryRun(state, context, { ...same, nodeId: null, input: null, letters: [] })
    },
    { actor: 'operator', claims: false },
  )
  expect(await scene.claim()).toEqual(['a'])
  expect(scene.record('a').generation).toBe(1)
})
