/**
 * The engine at work while somebody looks at its runs, and while nobody does, in turns in one process:
 * `node bench/live.ts [--runs 1000] [--rounds 5] [--json]`. Who looks is this process, over the product's own WebSocket,
 * as the designer's list of runs does, and as a view of every event would. Medians over the rounds.
 */

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { createClient } from '../src-engine/protocol/client.ts'
import { webSocketChannel } from '../src-engine/shell/channels/web-socket.ts'
import type { Work } from './live/host.ts'
import type { Throughput } from './throughput.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
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

type Look = 'nobody' | 'runs' | 'all'

/** Looks until it is told to stop; gives how many events came by then. */
async function look(kind: Exclude<Look, 'nobody'>): Promise<() => number> {
  const socket = new WebSocket(`ws://${url.host}/engine`, { origin: url.origin })
  const client = createClient(webSocketChannel(socket), { token, readsGroups: true, acknowledges: true })
  let heard = 0
  client.subscribe({ topic: { kind }, cursor: null }, { events: (events) => void (heard += events.length) })
  await client.welcome
  return () => {
    client.close()
    return heard
  }
}

const looks: readonly Look[] = ['nobody', 'runs', 'all']
const found: Record<Look, Throughput[]> = { nobody: [], runs: [], all: [] }
const heard: Record<Look, number> = { nobody: 0, runs: 0, all: 0 }
const runs = Number(values.runs)

async function measure(kind: Look): Promise<void> {
  const leave = kind === 'nobody' ? () => 0 : await look(kind)
  found[kind].push(await ask({ runs }))
  heard[kind] += leave()
}

// The first turns are those of a process that begins.
await ask({ runs })
await ask({ runs })
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const kind of round % 2 === 0 ? looks : looks.toReversed()) await measure(kind)
host.send({ runs: null } satisfies Work)

function median(kind: Look, key: keyof Throughput): number {
  const sorted = found[kind].map((one) => one[key]).toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const percent = (share: number): string => `${(share * 100).toFixed(0).padStart(5)} %`

const rows = looks.map((kind) => ({
  look: kind,
  stepsPerSecond: median(kind, 'stepsPerSecond'),
  share: median(kind, 'stepsPerSecond') / median('nobody', 'stepsPerSecond'),
  cpuMicrosPerStep: median(kind, 'cpuMicrosPerStep'),
  /** What the rate would be if nothing else wanted the machine: this process's own time, compared. */
  cpuShare: median('nobody', 'cpuMicrosPerStep') / median(kind, 'cpuMicrosPerStep'),
  heard: heard[kind],
}))
if (values.json) process.stdout.write(`${JSON.stringify({ rows })}\n`)
else
  for (const { look: kind, stepsPerSecond, share, cpuMicrosPerStep, cpuShare, heard: events } of rows)
    process.stdout.write(
      `${kind.padEnd(8)} ${stepsPerSecond.toFixed(0).padStart(8)} steps/s ${percent(share)} ${cpuMicrosPerStep.toFixed(1).padStart(8)} us/step ${percent(cpuShare)} ${String(events).padStart(9)} events\n`,
    )
