import assert from 'node:assert/strict'
import { defineWorkflow, extra, kept } from '../../../../src-engine/index.ts'

const document = defineWorkflow({
  id: 'foreign',
  nodes: {
    scan: kept({ kind: 'acme.scan', parameters: { depth: 3 } }),
    note: { kind: 'noop', ...extra({ 'x-owner': 'ada' }) },
  },
  edges: { next: ['scan', 'note'] },
})
const [scan] = Object.values(document.nodes)
assert.deepEqual(scan, { kind: 'acme.scan', parameters: { depth: 3 } })
