/**
 * Entry of the process that listens for web calls. It may do nothing but listen: what it hears it hands to
 * the engine that had it started, and it ends with it.
 */

import { openParentLine } from '../tasks/parent-line.ts'
import { systemClock } from './system-ports.ts'
import type { ListenerOrder } from './webhooks/listener-message.ts'
import { createWebListener } from './webhooks/web-listener.ts'

const line = openParentLine()
const listener = createWebListener({
  clock: systemClock,
  send: (report) => line.send(JSON.stringify(report)),
})
line.onText((text) => {
  // The engine wrote it; nobody else has this end of the line.
  const order = JSON.parse(text) as ListenerOrder
  listener.receive(order)
  if (order.kind === 'close') line.close()
})
// Without the engine there is nobody to hand calls to.
line.onEnd(() => void listener.close())
line.send(JSON.stringify({ kind: 'ready' }))
