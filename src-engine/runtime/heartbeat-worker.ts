/** Entry of the heartbeat's thread: renews on a connection of its own, whatever the main loop does. */

import { parentPort, workerData } from 'node:worker_threads'
import { openRenewer } from '../store/renewer.ts'
import type { FromHeartbeatThread, HeartbeatThreadData, ToHeartbeatThread } from './heartbeat-message.ts'
import { createRenewalLoop } from './renewal-loop.ts'
import { systemClock } from './system-ports.ts'

/** A vault takes no longer. */
const passwordMs = 1_000

const port = parentPort
if (port === null) throw new Error('The heartbeat worker is started by the engine, as a worker thread.')

// The engine gives this and nothing else.
const { address, times, held: first, progress } = workerData as HeartbeatThreadData
const counter = new Int32Array(progress)
const send = (message: FromHeartbeatThread) => port.postMessage(message)

let held = first
let stopping = false
let isBeating = false
const asked = createAsked(send)

port.on('message', (message: ToHeartbeatThread) => {
  if (message.kind === 'held') held = message.held
  else if (message.kind === 'password') asked.answer(message.password)
  else {
    stopping = true
    if (isBeating) void stop()
  }
})

const renewer = await openRenewer(address, systemClock, () => asked.password())
const loop = createRenewalLoop({
  ...times,
  clock: systemClock,
  held: () => held,
  progress: () => Atomics.load(counter, 0),
  renew: async ({ runner, leases }, expiresAt) => {
    const lost = await renewer.renew({
      runner: { ...runner, heartbeatAt: systemClock.now() },
      leases,
      expiresAt,
    })
    return { lost, cancelRequested: [] }
  },
  tell: (news) => send(news.kind === 'renewed' ? { kind: 'renewed', lost: news.lost } : news),
})

async function stop(): Promise<void> {
  await loop.stop()
  renewer.close()
  send({ kind: 'stopped' })
  port?.close()
}

/** Passwords come from the main loop; when that stands still the last one is used. */
function createAsked(tell: (message: FromHeartbeatThread) => void) {
  let last = address.kind === 'redis' ? address.password : null
  const waiting: ((password: string | null) => void)[] = []
  return {
    answer(password: string | null): void {
      last = password
      for (const resolve of waiting.splice(0)) resolve(password)
    },
    password: (): Promise<string | null> =>
      new Promise((resolve) => {
        const cancel = systemClock.after(passwordMs, () => resolve(last))
        waiting.push((password) => {
          cancel()
          resolve(password)
        })
        tell({ kind: 'password-wanted' })
      }),
  }
}

if (stopping) await stop()
else {
  isBeating = true
  loop.start()
  // What it was given may have waited for the thread to start.
  await loop.beat()
}
