/** What a long campaign writes is read in pieces, and nothing is lost between two of them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { readEffects, splitEffects } from '../support/effect-sink.ts'
import { linesOf } from '../support/file-lines.ts'
import { createFeedJournal } from './feed-journal.ts'

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-streams-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

test('lines are whole, however long, and wherever a piece of the file ends', () => {
  const file = join(aDirectory(), 'lines')
  // Characters of two bytes, on odd and even places: some of them lie across the end of a piece.
  const lines = Array.from(
    { length: 40 },
    (_, index) => `${'x'.repeat(index % 2)}${'ü'.repeat(99_000)} ${index}`,
  )
  const long = 'ä'.repeat(2_500_000)
  writeFileSync(file, `${lines.join('\n')}\n\n${long}\nlast`)
  expect([...linesOf(file)]).toEqual([...lines, long, 'last'])
  expect([...linesOf(join(file, '..', 'none'))]).toEqual([])
})

test('a sink in parts tells what the whole told', () => {
  const directory = aDirectory()
  const sink = join(directory, 'sink')
  const line = (run: number, step: number, told: object): string =>
    JSON.stringify({
      ...{ runId: `run_${run}`, invocationId: `run_${run}/${step}`, nodeId: 'n', attempt: 1 },
      ...{ idempotencyKey: `${run} ${step}`, pid: 7, ...told },
    })
  const runs = Array.from({ length: 90 }, (_, run) => run)
  const told = runs.flatMap((run) => [
    line(run, 1, { startedAt: 1, input: 'x'.repeat(500_000) }),
    line(run, 1, { endedAt: 2 }),
    line(run, 2, { startedAt: 3, input: null }),
  ])
  writeFileSync(sink, told.join('\n'))
  const parts = [0, 1, 2].map((part) => join(directory, String(part)))
  splitEffects(sink, (id) => parts[Number(id.slice('run_'.length)) % parts.length] ?? '')
  const byId = (effects: ReturnType<typeof readEffects>) =>
    [...effects].sort((a, b) => (a.idempotencyKey < b.idempotencyKey ? -1 : 1))
  expect(byId(parts.flatMap(readEffects))).toEqual(byId(readEffects(sink)))
  expect(parts.map((part) => readEffects(part).length)).toEqual([60, 60, 60])
})

test('the journal of the feed gives each partition what came of it, in its order', () => {
  const journal = createFeedJournal(aDirectory())
  const event = (partition: number, seq: number) =>
    ({ partition, epoch: 1, seq, opId: `op${seq}`, body: { type: 'timer.fired' } }) as unknown as EngineEvent
  const all = Array.from({ length: 2_600 }, (_, index) => event(index % 2, index + 1))
  for (let from = 0; from < all.length; from += 70) journal.note(all.slice(from, from + 70))
  expect(journal.count()).toBe(all.length)
  expect(journal.of(1).map(({ seq }) => seq)).toEqual(
    all.filter(({ partition }) => partition === 1).map((e) => e.seq),
  )
  expect(journal.of(2)).toEqual([])
  expect(journal.hasReached({ partition: 0, epoch: 1, seq: 2_599 })).toBe(true)
  expect(journal.hasReached({ partition: 0, epoch: 2, seq: 1 })).toBe(false)
  expect(journal.hasReached({ partition: 2, epoch: 1, seq: 0 }), 'nothing has happened there').toBe(true)
})
