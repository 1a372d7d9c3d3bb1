/** The designer and the bare page in turns: still, moved, and from far away, with a run that changes and without. */

import type { Browser } from '@playwright/test'
import { drawn, missed, openRun, zoomOut, zoomTo } from './designer-page.ts'
import type { Frames, Gesture } from './gestures.ts'
import { gesture } from './gestures.ts'
import type { BenchHost, Measured } from './pages.ts'
import { openPage } from './pages.ts'

export interface Bench {
  readonly host: BenchHost
  readonly browser: Browser
  readonly nodes: number
  readonly rate: number
  readonly rounds: number
  readonly frames: number
  readonly events: number
  readonly opened: readonly number[]
  /** How often a press of a button is measured, and a jump of the playhead. */
  readonly presses: number
  readonly jumps: number
}

export type Subject = 'ours' | 'bare'
export interface Rounds {
  /** By subject and situation, the median of the rounds. */
  readonly frames: Readonly<Record<Subject, Readonly<Record<string, Frames>>>>
  /** Changes that the designer didn't show in the end, over all rounds. */
  readonly dropped: number
  /** Messages of one subscription for a hundred frames of 16 ms. */
  readonly messagesPerFrame: number
}

/** All of the workflow in a window of usual size. */
const wholeZoom = 0.12
const gestures: readonly Gesture[] = ['still', 'pan', 'zoom']

export async function measureRounds(bench: Bench): Promise<Rounds> {
  const all: Record<Subject, Record<string, Frames[]>> = { ours: {}, bare: {} }
  let dropped = 0
  const messages: number[] = []
  const { runId } = await bench.host.run(bench.nodes)
  for (let round = 0; round < bench.rounds; round += 1) {
    // Whoever comes first meets a machine that others have just left: that changes from round to round.
    const order: readonly Subject[] = round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours']
    for (const subject of order) {
      const measured = await openPage(bench.browser)
      const counted = countMessages(measured)
      await open(bench, { measured, subject, runId })
      for (const [what, frames] of await situations(bench, measured, runId)) {
        const known = all[subject][what]
        if (known === undefined) all[subject][what] = [frames]
        else known.push(frames)
      }
      messages.push(counted())
      if (subject === 'ours') dropped += await missed(measured.page, await bench.host.final(runId))
      await measured.close()
    }
  }
  const frames = { ours: medians(all.ours), bare: medians(all.bare) }
  return { frames, dropped, messagesPerFrame: Math.max(...messages) }
}

async function open(
  { host, nodes }: Bench,
  {
    measured,
    subject,
    runId,
  }: { readonly measured: Measured; readonly subject: Subject; readonly runId: string },
): Promise<void> {
  if (subject === 'ours') {
    await openRun(measured, { url: host.designer, runId })
    return zoomTo(measured, 1)
  }
  const { origin, hash } = new URL(host.bare)
  await measured.page.goto(`${origin}/?n=${nodes}&run=${encodeURIComponent(runId)}${hash}`)
  await drawn(measured.page)
}

async function situations(
  { host, rate, frames }: Bench,
  measured: Measured,
  runId: string,
): Promise<readonly (readonly [string, Frames])[]> {
  const found: (readonly [string, Frames])[] = []
  const look = async (where: string): Promise<void> => {
    for (const kind of gestures) {
      const frame = await gesture(measured, kind, frames)
      found.push([`${where}${kind}`, frame])
      if (process.env['BENCH_TELLS'] !== undefined)
        process.stderr.write(`${where}${kind} ${JSON.stringify(frame)}\n`)
    }
  }
  await look('')
  await host.rate(runId, rate)
  await look('live ')
  await zoomOut(measured, wholeZoom)
  await look('whole ')
  await host.rate(runId, 0)
  return found
}

/** Of all subscriptions together, on the busiest line: messages for each 16 ms between its first and its last. */
function countMessages({ page }: Measured): () => number {
  const byLine: number[][] = []
  page.on('websocket', (socket) => {
    const times: number[] = []
    byLine.push(times)
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).startsWith('{"type":"frame"')) times.push(performance.now())
    })
  })
  return () => {
    const most = byLine.toSorted((left, right) => right.length - left.length)[0] ?? []
    const spanMs = (most.at(-1) ?? 0) - (most[0] ?? 0)
    return spanMs === 0 ? 0 : most.length / (spanMs / 16)
  }
}

function medians(all: Readonly<Record<string, readonly Frames[]>>): Readonly<Record<string, Frames>> {
  return Object.fromEntries(
    Object.entries(all).map(([what, list]) => {
      const [first] = list
      const keys = Object.keys(first ?? {}) as (keyof Frames)[]
      const middle = (key: keyof Frames): number => {
        const sorted = list.map((one) => one[key]).toSorted((left, right) => left - right)
        return sorted[Math.floor(sorted.length / 2)] ?? 0
      }
      return [what, Object.fromEntries(keys.map((key) => [key, middle(key)])) as unknown as Frames]
    }),
  )
}
