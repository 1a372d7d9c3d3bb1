/** The part of a workflow that leads to one step. */

import { describe, expect, it } from 'vitest'
import { nodeId, workflowId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { sliceTo, trialIdOf, triedIdOf } from '../../../src-engine/model/slice.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { documentOf, edgesOf } from './workflow-fixture.ts'

const noop = { kind: 'noop' }
const to = (parts: JsonObject, id: string): WorkflowDocument => {
  const slice = sliceTo(documentOf(parts), nodeId(id))
  if (slice === null) throw new Error(`there is no ${id}`)
  return slice
}

describe('a slice', () => {
  it('has the step and all that leads to it, and nothing of other branches or of what follows', () => {
    const nodes = { a: noop, b: noop, c: noop, d: noop, e: noop }
    const slice = to({ nodes, edges: edgesOf('a>b', 'b>c', 'c>d', 'a>e') }, 'c')
    expect(Object.keys(slice.nodes)).toEqual(['a', 'b', 'c'])
    expect(Object.values(slice.edges).map(({ from, to: end }) => `${from.node}>${end.node}`)).toEqual([
      'a>b',
      'b>c',
    ])
  })

  it('brings what undoes its steps, and the whole of a map', () => {
    const nodes = {
      pay: { ...noop, compensation: { node: 'refund' } },
      refund: noop,
      each: { kind: 'map', parameters: { items: 'input' } },
      one: { ...noop, parent: 'each' },
      two: { ...noop, parent: 'each' },
    }
    const slice = to({ nodes, edges: edgesOf('pay>each', 'one>two') }, 'one')
    expect(Object.keys(slice.nodes)).toEqual(['pay', 'refund', 'each', 'one', 'two'])
  })

  it('leaves out what the workflow gives, limits it and starts it, and has a name of its own', () => {
    const slice = to(
      {
        nodes: { a: { ...noop, title: 'Ask' }, b: noop },
        settings: { output: 'input', timeoutMs: 5_000, concurrency: { limit: 1 } },
        triggers: { t: { kind: 'manual' } },
      },
      'a',
    )
    expect(slice.settings).toEqual({ timeoutMs: 5_000 })
    expect(slice).not.toHaveProperty('triggers')
    expect([slice.id, slice.title]).toEqual(['w.trial', 'Orders (up to “Ask”)'])
  })

  it('is null for a step that isn’t there', () => {
    expect(sliceTo(documentOf({ nodes: { a: noop } }), nodeId('z'))).toBeNull()
  })

  it('of a slice is a trial of the same workflow', () => {
    expect(trialIdOf(trialIdOf(workflowId('w')))).toBe('w.trial')
    expect([triedIdOf(workflowId('w.trial')), triedIdOf(workflowId('w'))]).toEqual(['w', 'w'])
  })
})
