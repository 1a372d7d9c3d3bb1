/**
 * The engine at work while somebody looks at its runs, and while nobody does, in short turns in one process (nobody, look,
 * look, nobody): `node bench/live.ts [--runs 100] [--turns 20] [--json]`. Who looks is this process, over the product's own
 * WebSocket, as the designer's list of runs does, and as a view of every event would. What is compared is the engine's own
 * processor time for a step: what a look costs is that, wherever else the machine is busy.
 */

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { createClient } from '../src-engine/protocol/client.ts'
import { webSocketChannel } from '../src-engine/shell/channels/web-socket.ts'
import type { Work } from './live/host.ts'
import { inPairs, medianInterval, medianOf } from './live/paired.ts'
import type { Throughput } from './throughput.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    turns: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
})

const host = fork(join(import.meta.dirname, 'live/host.ts'), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
const answer = <T>(): Promise<T> =>
  new Promise((settle) => host.once('message', (value) => settle(value as T)))
const ask = (work: Work): Promise<Throughput> => {
  const answered = answer<Throughput>()
  host.send(work)
  return answered
}
const url = new URL((await answer<{ readonly url: string }>()).url)
const token = /t=([^&]+)/.exec(url.hash)?.[1] ?? null
const socket = new WebSocket(`ws://${url.host}/engine`, { origin: url.origin })
const client = createClient(webSocketChannel(socket), { token, readsGroups: true, acknowledges: true })
await client.welcome

type Look = 'runs' | 'all'
const runs = Number(values.runs)
const turns = Number(values.turns)
const read: Record<Look | 'nobody', Throughput[]> = { nobody: [], runs: [], all: [] }
const heard: Record<Look, number> = { runs: 0, all: 0 }

/** Works while that many look; what a line's beginning costs is no part of it. */
async function work(kind: Look | 'nobody'): Promise<number> {
  const stop = kind === 'nobody' ? () => undefined : look(kind)
  // The engine answers what it was asked in turn: by then it follows, or no longer does.
  await client.call('runs.list', { statuses: null, workflowId: null, after: null, limit: 1 })
  const worked = await ask({ runs })
  stop()
  read[kind].push(worked)
  return worked.cpuMicrosPerStep
}

const look = (kind: Look): (() => void) =>
  client.subscribe(
    { topic: { kind }, cursor: null },
    { events: (events) => void (heard[kind] += events.length) },
  )

// The first turns are those of a process that begins.
for (let warm = 0; warm < 10; warm += 1) await ask({ runs })
const rows = []
for (const kind of ['runs', 'all'] as const) {
  const shares = await inPairs(turns, { first: () => work('nobody'), other: () => work(kind) })
  rows.push({
    look: kind,
    /** The rate that would be, if nothing else wanted the machine: the engine's own time with nobody to that with a look. */
    share: medianOf(shares),
    interval: medianInterval(shares),
    cpuMicrosPerStep: medianOf(read[kind].map((one) => one.cpuMicrosPerStep)),
    stepsPerSecond: medianOf(read[kind].map((one) => one.stepsPerSecond)),
    heard: heard[kind],
  })
}
const nobody = {
  cpuMicrosPerStep: medianOf(read.nobody.map((one) => one.cpuMicrosPerStep)),
  stepsPerSecond: medianOf(read.nobody.map((one) => one.stepsPerSecond)),
}
client.close()
host.send({ runs: null } satisfies Work)

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
if (values.json) process.stdout.write(`${JSON.stringify({ nobody, rows })}\n`)
else {
  process.stdout.write(`nobody   ${nobody.cpuMicrosPerStep.toFixed(1)} us/step\n`)
  for (const { look: kind, share, interval, cpuMicrosPerStep, heard: events } of rows)
    process.stdout.write(
      `${kind.padEnd(8)} ${cpuMicrosPerStep.toFixed(1)} us/step, ${percent(share)} (${interval.map(percent).join(' to ')}), ${events} events\n`,
    )
}
