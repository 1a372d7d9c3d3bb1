/**
 * The workflows that come with Sagasmith: valid, tidy, and doing what their descriptions say. That the three
 * services balance is shown in `test/books`.
 */

import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { checkExpression } from '../../../src-engine/runtime/expressions/expression-fault.ts'
import { runCommandLine } from '../../../src-engine/shell/command-line.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'

const root = resolve(import.meta.dirname, '../../..')
const samples = join(root, 'resources/samples')
const names = ['inbox', 'log-summary', 'order-saga', 'orders', 'three-services']
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-samples-'))
  await cp(samples, folder, { recursive: true, filter: (path) => !path.endsWith('/out') })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function documentOf(
  name: string,
): Promise<{ readonly text: string; readonly document: WorkflowDocument }> {
  const text = await readFile(join(samples, `${name}.json`), 'utf8')
  return { text, document: JSON.parse(text) as WorkflowDocument }
}

interface Finished {
  readonly exitCode: number | null
  readonly events: readonly JsonObject[]
  readonly last: JsonObject
}

/** The words of a command line that runs a sample, with a data directory of its own. */
function wordsFor(name: string, input: JsonObject | null = null): readonly string[] {
  const data = join(folder, `data-of-${name}-${input === null}`)
  const given = input === null ? [] : ['--input', JSON.stringify(input)]
  return ['run', join(folder, `${name}.json`), '--data', data, '--json', ...given]
}

function finished(exitCode: number | null, text: string): Finished {
  const events = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject)
  return { exitCode, events, last: events.at(-1) ?? {} }
}

/** Runs a sample as the command line does. */
async function runSample(...what: Parameters<typeof wordsFor>): Promise<Finished> {
  let text = ''
  const exitCode = await runCommandLine(wordsFor(...what), {
    stdout: { write: (content) => void (text += String(content)) },
    stderr: { write: () => {} },
    onInterrupt: () => () => {},
  })
  return finished(exitCode, text)
}

/** Runs a sample from the terminal of a checkout, where Node reads the sources as they are and nothing is bundled. */
function runFromSources(name: string): Promise<Finished> {
  const child = spawn(process.execPath, [join(root, 'src-engine/shell/cli.ts'), ...wordsFor(name)])
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (exitCode) => done(finished(exitCode, text)))
  })
}

test('there are five', async () => {
  expect((await readdir(samples)).filter((name) => name.endsWith('.json')).sort()).toEqual(
    names.map((name) => `${name}.json`),
  )
})

describe.for(names)('%s', (name) => {
  test('has no problem and is saved as the app would save it', async () => {
    const { text, document } = await documentOf(name)
    expect(
      validateWorkflow(document, taskSpecsByKind, { triggerSpecs: triggerSpecsByKind, checkExpression }),
    ).toEqual([])
    expect(canonicalDocument(document)).toBe(text)
  })

  test('every node has a title and a place of its own, left to right', async () => {
    const { document } = await documentOf(name)
    const places = document.layout?.nodes ?? {}
    expect(Object.keys(places).sort()).toEqual(Object.keys(document.nodes).sort())
    const cells = Object.values(places).map(({ x, y }) => `${x},${y}`)
    expect(new Set(cells).size).toBe(cells.length)
    for (const { x, y } of Object.values(places)) expect([x % 280, y % 140]).toEqual([0, 0])
    for (const node of Object.values(document.nodes)) expect(node.title).toEqual(expect.any(String))
    for (const { from, to } of Object.values(document.edges))
      expect(places[from.node]?.x).toBeLessThan(places[to.node]?.x ?? 0)
  })
})

test('orders: the report is on disk and was sent on', async () => {
  const { exitCode, last } = await runFromSources('orders')
  expect(last).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED' })
  expect(exitCode).toBe(0)
  const report = JSON.parse(await readFile(join(folder, 'out/orders-report.json'), 'utf8')) as JsonObject
  expect(report).toMatchObject({
    currency: 'EUR',
    totals: { orders: 117, revenue: 24_511.4, bestDay: { date: '2026-03-02' } },
    lowStock: [
      { sku: 'LMP-HEA', left: 2 },
      { sku: 'PMP-200', left: 4 },
      { sku: 'LAD-3M', left: 7 },
      { sku: 'SAW-BOW', left: 9 },
    ],
  })
  expect(report['rejected']).toHaveLength(5)
})

test('inbox: the sum of a sheet joins the ledger', async () => {
  const { exitCode, last } = await runSample('inbox')
  expect(last).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED' })
  expect(exitCode).toBe(0)
  const lines = (await readFile(join(folder, 'out/ledger.jsonl'), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as JsonObject)).toEqual([
    { file: join(folder, 'data/inbox/market-day.csv'), rows: 6, takings: 1_196.1 },
  ])
})

test('log-summary: the summary names the most frequent cause', async () => {
  const { exitCode, last } = await runSample('log-summary')
  expect(last).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED' })
  expect(exitCode).toBe(0)
  const summary = await readFile(join(folder, 'out/log-summary.md'), 'utf8')
  expect(summary).toContain('370 entries, 24 errors.')
  expect(summary).toContain('- 4 × payments: bank did not answer in time')
})

test('order-saga: fails at the carrier and undoes what it did, or goes through when it refuses once', async () => {
  const failed = await runSample('order-saga')
  expect(failed.last).toMatchObject({
    status: 'COMPENSATED',
    error: {
      code: 'debug_failure',
      message: 'The carrier refused the parcel: nobody delivers to 9999 XA Schiermonnikoog.',
    },
  })
  expect(failed.exitCode).toBe(1)
  const undone = failed.events.flatMap(({ type, invocationId: id, body }) => {
    const isDone = type === 'invocation.changed' && isJsonObject(body) && body['to'] === 'SUCCESS'
    return isDone && typeof id === 'string' ? [id] : []
  })
  const undos = undone.filter((id) => id.endsWith('~undo')).map((id) => id.slice(id.indexOf('/') + 1))
  expect(undos).toEqual(['charge_card~undo', 'reserve_stock~undo'])
  expect((await runSample('order-saga', { refusals: 1 })).last).toMatchObject({ status: 'SUCCEEDED' })
})

test('an installed app brings only samples that need nothing of the sources', async () => {
  const { build } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly build: {
      readonly extraResources: readonly { readonly from: string; readonly filter?: readonly string[] }[]
    }
  }
  const packed = build.extraResources.find(({ from }) => from === 'resources/samples')
  const texts = await Promise.all(names.map(async (name) => (await documentOf(name)).text))
  const needy = names.filter((_, index) => texts[index]?.includes('node test/'))
  expect(needy).toEqual(['three-services'])
  expect(packed?.filter).toEqual(['**/*', ...needy.map((name) => `!${name}.json`)])
})
