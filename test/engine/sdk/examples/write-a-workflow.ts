import assert from 'node:assert/strict'
import { defineWorkflow } from '../../../../src-engine/index.ts'

const orders = defineWorkflow({
  id: 'orders',
  title: 'Orders of the day',
  settings: { onFailure: 'finish', concurrency: { limit: 1, onFull: 'queue' } },
  triggers: {
    nightly: { kind: 'cron', parameters: { expression: '0 6 * * *', timeZone: 'Europe/Amsterdam' } },
  },
  nodes: {
    fetch: {
      kind: 'http-request',
      parameters: { url: 'https://example.com/orders/{{ run.input.day }}', timeoutMs: 10_000 },
      retry: { maxAttempts: 5, delayMs: 500 },
      timeout: { totalMs: 60_000 },
      concurrency: { running: 'TASK', limit: 2, onFull: 'reroute' },
      compensation: { task: { kind: 'log', parameters: { message: 'Gave up on today’s orders' } } },
    },
    each: { kind: 'map', parameters: { items: 'input.body', limit: 4 } },
    price: { kind: 'transform', parent: 'each', parameters: { expression: 'input.price * 1.21' } },
    large: { kind: 'if', parameters: { condition: '$sum(input) > 1000' } },
    tell: { kind: 'log', parameters: { message: 'A good day' } },
  },
  edges: [
    ['fetch', 'each'],
    ['each', 'large'],
    ['large:true', 'tell', { label: 'a good day' }],
  ],
  sagaScopes: { all: { nodes: ['fetch'], order: 'reverse' } },
  layout: { nodes: { fetch: { x: 0, y: 0 }, each: { x: 320, y: 0 } } },
})
assert.deepEqual(Object.keys(orders.edges), ['e1', 'e2', 'e3'])
