/**
 * The designer against bare React Flow with the same nodes, in turns in one browser, while the steps of a run change
 * their state through the product's own engine, frames and channel:
 * `node bench/ui.ts [--nodes 2000] [--rate 5000] [--rounds 3] [--frames 240] [--minutes 0]
 * [--only rounds,opening,history] [--short] [--json]`.
 * Needs a built designer (`npm run check` or `npm start` leaves one). What is worked on the main thread is counted in its own
 * processor time, so that it means the same on a busy machine; frames per second don't.
 */

import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { measureHistory } from './ui/history.ts'
import { measureMemory } from './ui/memory.ts'
import { measureOpening } from './ui/opening.ts'
import { buildBare, startHost } from './ui/pages.ts'
import { measureRounds } from './ui/rounds.ts'
import type { Row } from './ui/rows.ts'
import { printRows, rowsOf } from './ui/rows.ts'

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    frames: { type: 'string', default: '240' },
    minutes: { type: 'string', default: '0' },
    only: { type: 'string', default: 'rounds,opening,history' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

// Of the short form nobody reads how fast it was: it does everything a few times, on a few more cards than are drawn as
// cards from far away.
const size = values.short
  ? {
      ...{ nodes: 420, rate: 1_000, rounds: 1, frames: 2, events: 800, opened: [420] },
      ...{ presses: 2, jumps: 8 },
    }
  : {
      ...{ nodes: Number(values.nodes), rate: Number(values.rate), rounds: Number(values.rounds) },
      ...{ frames: Number(values.frames), events: 100_000, opened: [2_000, 10_000] },
      ...{ presses: 5, jumps: 40 },
    }

const isRoot = process.getuid?.() === 0
const host = await startHost([...new Set([size.nodes, ...size.opened])], await buildBare())
const browser = await chromium.launch({
  executablePath: process.env['SAGASMITH_CHROMIUM'] ?? '/usr/bin/chromium',
  args: isRoot ? ['--no-sandbox'] : [],
  timeout: 0,
})
const bench = { host, browser, ...size }
const parts = new Set(values.only.split(','))
try {
  const rounds = parts.has('rounds') ? await measureRounds(bench) : null
  const openings = parts.has('opening') ? await measureOpening(bench) : []
  const history = parts.has('history') ? await measureHistory(bench) : null
  const memory = Number(values.minutes) === 0 ? null : await measureMemory(bench, Number(values.minutes))
  const rows: readonly Row[] = rowsOf({ rounds, openings, history, memory })
  if (values.json) process.stdout.write(`${JSON.stringify({ size, rows })}\n`)
  else printRows(rows)
} finally {
  await browser.close()
  await host.stop()
}
