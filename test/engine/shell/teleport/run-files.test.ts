/** A run as a file: written here, opened elsewhere, and nothing in it believed. */

import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { runFileTextMax } from '../../../../src-engine/model/limits.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { TeleportScene } from './teleport-scene.ts'
import { teleportScene } from './teleport-scene.ts'

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const orders = { nodes: { a: transform('input.n + 1'), b: transform('input * 2') }, edges: edgesOf('a>b') }
const large = { nodes: { a: transform('$join([1..20000].$string(), " ")') } }

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (thrown: { readonly code?: string }) => thrown.code ?? thrown,
  )

/** Runs of this machine have ids that another one has, too, unless it ran something else before. */
async function ownRun(here: TeleportScene, parts: JsonObject = orders): Promise<RunId> {
  for (let count = 0; count < 5; count += 1) await here.own.play({ nodes: { idle: { kind: 'noop' } } })
  return (await here.own.play(parts, { n: 20 })).id
}

const saved = (here: TeleportScene, runId: RunId, more: { cluster?: string; at?: number } = {}) =>
  here.handlers['teleport.save']({ runId, cluster: null, family: true, at: null, ...more })

const opened = (here: TeleportScene, base64: string) =>
  here.handlers['teleport.open']({ name: 'orders.sagarun', base64 })

type Line = Record<string, JsonValue>
const linesOf = (base64: string): readonly Line[] =>
  gunzipSync(Buffer.from(base64, 'base64'))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const fileOf = (lines: readonly object[]): string =>
  gzipSync(lines.map((line) => JSON.stringify(line)).join('\n')).toString('base64')

describe('a run as a file', () => {
  it('is opened on another machine with all that its views ask for', async () => {
    const [here, other] = [await teleportScene(), await teleportScene()]
    const id = await ownRun(here, large)
    const file = await saved(here, id, { at: 2 })
    expect(file).toMatchObject({ name: `${id}.sagarun`, runs: 1, leftOut: 0 })
    expect(await opened(other, file.base64)).toEqual({ runId: id, runs: 1, at: 2, isOwn: false })
    const mine = await here.handlers['runs.get']({ runId: id })
    const { pulled, ...copy } = await other.handlers['runs.get']({ runId: id })
    expect(copy).toEqual(mine)
    expect(pulled?.origin).toMatchObject({ cluster: 'orders.sagarun', isFile: true })
    if (copy.run.output === null) throw new Error('the run has an output')
    expect(await other.handlers['payloads.get']({ payload: copy.run.output })).toEqual(
      await here.handlers['payloads.get']({ payload: copy.run.output }),
    )
    expect(await codeOf(other.handlers['runs.retry']({ ...retry, runId: id }))).toBe('teleport_read_only')
  })

  it('opened twice it is there once; opened where it ran it is the run itself', async () => {
    const [here, other] = [await teleportScene(), await teleportScene()]
    const id = await ownRun(here)
    const { base64 } = await saved(here, id)
    await opened(other, base64)
    await opened(other, base64)
    expect((await other.handlers['teleport.list']({})).runs).toHaveLength(1)
    expect(await opened(here, base64)).toMatchObject({ runId: id, isOwn: true })
    expect((await here.handlers['teleport.list']({})).runs).toEqual([])
  })

  it('a run of a cluster, and the copy of one, are handed on alike', async () => {
    const [here, other] = [await teleportScene(), await teleportScene()]
    const { id } = await here.cluster.play(orders, { n: 20 })
    const there = await saved(here, id, { cluster: 'plant' })
    await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: true })
    const copy = await saved(here, id)
    const known = linesOf(copy.base64).filter(({ kind }) => kind === 'events')
    expect(known).toEqual(linesOf(there.base64).filter(({ kind }) => kind === 'events'))
    await opened(other, copy.base64)
    expect((await other.handlers['runs.get']({ runId: id })).run.status).toBe('SUCCEEDED')
  })

  it('one that goes on is a snapshot, and an older file takes nothing back', async () => {
    const [here, other] = [await teleportScene(), await teleportScene()]
    const { own } = here
    for (let count = 0; count < 5; count += 1) await own.play({ nodes: { idle: { kind: 'noop' } } })
    const id = await own.start({
      nodes: { wait: { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } } },
    })
    await own.pass(100)
    const early = await saved(here, id)
    await own.pass(10_000)
    const late = await saved(here, id)
    await opened(other, late.base64)
    await opened(other, early.base64)
    expect((await other.handlers['runs.get']({ runId: id })).run.status).toBe('SUCCEEDED')
  })
})

describe('a file that isn’t what it says', () => {
  const changed: readonly (readonly [string, (lines: readonly Line[]) => readonly object[], string])[] = [
    ['says nothing', () => [], 'run_file_unreadable'],
    ['is of another kind', () => [{ format: 'other' }], 'run_file_unreadable'],
    ['is newer', ([head, ...rest]) => [{ ...head, version: 2 }, ...rest], 'run_file_unreadable'],
    [
      'lacks its events',
      (lines) => lines.filter(({ kind }) => kind !== 'events'),
      'teleport_journal_damaged',
    ],
    ['lacks its version', (lines) => lines.filter(({ kind }) => kind !== 'version'), 'run_file_unreadable'],
    ['lacks its run', (lines) => lines.filter(({ kind }) => kind !== 'run'), 'run_file_unreadable'],
    [
      'has an event less',
      (lines) => withEvents(lines, (events) => events.slice(0, -1)),
      'teleport_journal_damaged',
    ],
    [
      'tells another past',
      (lines) => JSON.parse(JSON.stringify(lines).replace('"SUCCESS"', '"FAILED"')) as readonly object[],
      'teleport_journal_damaged',
    ],
    [
      'has another workflow under its hash',
      (lines) =>
        JSON.parse(JSON.stringify(lines).replace(String.raw`input * 2`, 'input * 3')) as readonly object[],
      'definition_altered',
    ],
    ['has events that are none', (lines) => withEvents(lines, () => [{ a: 1 }]), 'teleport_journal_damaged'],
    ['has a letter that is none', withLetter, 'run_file_unreadable'],
  ]

  it.each(changed)('%s: nothing of it is kept', async (_, change, code) => {
    const [here, other] = [await teleportScene(), await teleportScene()]
    const id = await ownRun(here)
    const { base64 } = await saved(here, id)
    const forged = fileOf(change(linesOf(base64)))
    expect(await codeOf(opened(other, forged))).toBe(code)
    expect((await other.handlers['teleport.list']({})).runs).toEqual([])
  })

  it('a payload under another’s name is refused', async () => {
    const [here, other] = [await teleportScene(), await teleportScene()]
    const id = await ownRun(here, large)
    const lines = linesOf((await saved(here, id)).base64).map((line) =>
      line['kind'] === 'payload' ? { ...line, base64: Buffer.from('"other"').toString('base64') } : line,
    )
    expect(await codeOf(opened(other, fileOf(lines)))).toBe('run_file_unreadable')
  })

  it('one that unfolds without end is refused', async () => {
    const other = await teleportScene()
    // Compressed once: a file of gzip may have many parts.
    const part = gzipSync(Buffer.alloc(10_000_000))
    const parts = Math.ceil((runFileTextMax + 1) / 10_000_000)
    const bomb = Buffer.concat(Array.from({ length: parts }, () => part)).toString('base64')
    // What is read of it would be no JSON, which is another problem.
    await expect(opened(other, bomb)).rejects.toMatchObject({
      code: 'run_file_unreadable',
      details: { problem: 'it is damaged, or no file of a run' },
    })
    expect(await codeOf(opened(other, Buffer.from('no gzip').toString('base64')))).toBe('run_file_unreadable')
  })
})

const withLetter = (lines: readonly Line[]): readonly object[] =>
  lines.map((line) => (line['kind'] === 'run' ? { ...line, letters: [7] } : line))

const retry = { nodeId: null, input: null, version: 'same', document: null, by: null, reason: null } as const

const withEvents = (lines: readonly Line[], change: (events: readonly JsonValue[]) => readonly JsonValue[]) =>
  lines.map((line) =>
    line['kind'] === 'events' ? { ...line, events: change(line['events'] as readonly JsonValue[]) } : line,
  )
