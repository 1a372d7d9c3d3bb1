/** A drawn document and the one its run is bound to. */

import { expect, test } from 'vitest'
import { withVersionsOf } from '../../../src-engine/model/pinned-versions.ts'
import { documentOf } from './workflow-fixture.ts'

const call = (version: string) => ({ kind: 'sub-workflow', parameters: { workflow: 'child', version } })

test('versions come from the bound document, but never over one that was drawn', () => {
  const drawn = documentOf({ nodes: { a: call(''), b: call('w1_mine'), c: call(''), d: { kind: 'noop' } } })
  const bound = documentOf({ nodes: { a: call('w1_a'), b: call('w1_b'), d: call('w1_d') } })
  const pinned = withVersionsOf(drawn, bound)
  expect(pinned.nodes).toEqual({ ...drawn.nodes, a: call('w1_a') })
})

test('a document that starts no other stays the same object', () => {
  const drawn = documentOf({ nodes: { d: { kind: 'noop' } } })
  expect(withVersionsOf(drawn, drawn)).toBe(drawn)
})
