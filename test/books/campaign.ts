/**
 * Orders through three services that fail, while runner processes are killed: then the books are checked. The
 * runners are those of the command line; who starts the orders, cancels some of them and answers rollbacks
 * that failed executes nothing.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { nodeFlags } from '../../bin/launcher/cli.mjs'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { runId as asRunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { Crew } from '../crash/crew.ts'
import { createCrew } from '../crash/crew.ts'
import { openSinkEngine } from '../crash/sink-engine.ts'
import { commandLine } from '../support/program.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import { until } from '../support/redis-servers.ts'
import { readBook } from './book.ts'
import type { RunEnd } from './check-books.ts'
import { checkBooks } from './check-books.ts'
import type { StorePlace } from './place.ts'
import { openPlace } from './place.ts'
import type { ServicesPlan } from './services-process.ts'
import { startServices } from './services-process.ts'

export interface BooksPlan extends ServicesPlan {
  readonly store: StorePlace
  readonly runs: number
  readonly runners: number
  /** Runs under way at any time. */
  readonly open: number
  /** From one kill to the next, in ms; null for none. */
  readonly killEveryMs: number | null
  /** Of all runs, 0 to 1: how many somebody cancels. */
  readonly cancels: number
  /** A planted fault: the rollback knows nothing of this step. */
  readonly forgets?: string
}

export interface BooksResult {
  readonly kills: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Rollbacks that had failed and were tried again by hand. */
  readonly byHand: number
  /** What the services tell of themselves, all together. */
  readonly told: Readonly<Record<string, number>>
  readonly movements: number
  readonly ms: number
  readonly problems: readonly string[]
}

const root = resolve(import.meta.dirname, '../..')
const cli = await commandLine()
/** Whatever has not come to its end so long after its start hangs. */
const runMsMax = 300_000

/** Plays the plan in a new directory and checks all books at its end. */
export async function playBooks(plan: BooksPlan): Promise<BooksResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-books-'))
  const place = await openPlace(plan.store, directory)
  const services = await startServices(plan, join(directory, 'books'))
  const crew = createCrew(() =>
    spawn(
      process.execPath,
      [...nodeFlags, cli, 'runner', '--store', place.address, '--concurrency', '8', '--json'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, SAGASMITH_DATA: join(directory, 'runners') },
      },
    ),
  )
  try {
    const starter = await openSinkEngine({
      directory,
      ...(place.store === null ? {} : { store: place.store }),
      settings: engineSettings(),
      spanOf: () => 0,
    })
    for (let index = 0; index < plan.runners; index += 1) crew.hire()
    const document = documentFor(plan, services.addresses)
    await until('the runners come up', async () => crew.readyCount() === plan.runners)
    const calm = new AbortController()
    const killing = killUntil(crew, plan, calm.signal)
    const orders = await placeOrders(starter, document, plan)
    calm.abort()
    const kills = await killing
    const complaints = await crew.dismiss()
    await services.stop()
    const books = Object.fromEntries(services.files.map((file) => [file.name, readBook(file.path)] as const))
    const unbalanced = checkBooks(books, orders.ends)
    const problems = [...orders.late, ...complaints, ...unbalanced, ...(await stepsOf(starter, unbalanced))]
    await starter.stop()
    await starter.store.close()
    const told: Record<string, number> = {}
    for (const book of Object.values(books)) {
      for (const [what, count] of Object.entries(book.told)) told[what] = (told[what] ?? 0) + count
    }
    const byStatus: Record<string, number> = {}
    for (const { status } of orders.ends) byStatus[status] = (byStatus[status] ?? 0) + 1
    const movements = Object.values(books).reduce((sum, book) => sum + book.movements.length / 2, 0)
    const ms = Math.round(performance.now() - began)
    return { kills, byStatus, byHand: orders.byHand, told, movements, ms, problems }
  } finally {
    crew.killAll()
    await services.stop()
    await place.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What became of the steps of runs that a finding names: most of what explains it. */
async function stepsOf(engine: Engine, findings: readonly string[]): Promise<readonly string[]> {
  const named = new Set(findings.flatMap((finding) => finding.match(/\brun_\w+/)?.[0] ?? []))
  const told = [...named].map(async (id) => {
    const { invocations } = await engine.snapshot(asRunId(id))
    const steps = invocations.map(
      ({ id: step, status, attempt, error }) =>
        `${step.slice(id.length + 1)} ${status} ${attempt} ${error?.message ?? ''}`,
    )
    return `  ${id}: ${steps.join('; ')}`
  })
  return Promise.all(told)
}

/** The sample, with the services where they are; and without what undoes the step that is to be forgotten. */
function documentFor({ forgets }: BooksPlan, addresses: readonly string[]): WorkflowDocument {
  let text = readFileSync(join(root, 'resources/samples/three-services.json'), 'utf8')
  for (const [index, address] of addresses.entries())
    text = text.replaceAll(`http://127.0.0.1:470${index + 1}`, address)
  const document = JSON.parse(text) as { readonly nodes: Record<string, Record<string, unknown>> }
  const forgotten = forgets === undefined ? undefined : document.nodes[forgets]
  if (forgotten !== undefined) delete forgotten['compensation']
  const read = parseDocument(document)
  if (!read.ok) throw read.error
  return read.value.document
}

async function killUntil(crew: Crew, plan: BooksPlan, signal: AbortSignal): Promise<number> {
  if (plan.killEveryMs === null) return 0
  const random = createRandomSource(`${plan.seed} kills`)
  let kills = 0
  while (!signal.aborted) {
    await new Promise((wait) => setTimeout(wait, plan.killEveryMs ?? 0))
    // One is left to work: on a busy machine the next one takes long to come up.
    if (!signal.aborted && crew.readyCount() > 1 && crew.replaceOne(random)) kills += 1
  }
  return kills
}

/** One in eight is more than the card pays, one in eight is sold out, one in eight goes nowhere. */
function orderOf(random: RandomSource): JsonObject {
  const trouble = random.below(8)
  return {
    amount: trouble === 0 ? 20_000 : 1 + random.below(9_999),
    quantity: 1 + random.below(5),
    sku: trouble === 1 ? 'unicorn' : random.pick(['lamp', 'ladder']),
    card: trouble === 2 ? 'no address' : random.pick(['ada', 'grace', 'alan']),
  }
}

interface Placed {
  readonly ends: readonly RunEnd[]
  readonly byHand: number
  readonly late: readonly string[]
}

/** As many at a time as planned: where one has ended, the next begins. */
async function placeOrders(engine: Engine, document: WorkflowDocument, plan: BooksPlan): Promise<Placed> {
  const random = createRandomSource(`${plan.seed} orders`)
  const ends: RunEnd[] = []
  const late: string[] = []
  let byHand = 0
  let begun = 0
  const lane = async (): Promise<void> => {
    while (begun < plan.runs) {
      begun += 1
      const { runId } = await engine.startRun({
        document,
        input: orderOf(random),
        baseDirectory: null,
        requestId: null,
      })
      const enough = AbortSignal.timeout(runMsMax)
      if (random.chance(plan.cancels)) cancelLater(engine, runId, random.below(1_500))
      let run = await engine.waitForRun(runId, enough)
      while (run.status === 'COMPENSATION_FAILED') {
        byHand += 1
        run = await undoAgain(engine, runId, enough)
      }
      ends.push({ runId, status: run.status })
    }
  }
  await Promise.all(
    Array.from({ length: plan.open }, () =>
      lane().catch((thrown: unknown) => void late.push(String(thrown))),
    ),
  )
  if (ends.length !== plan.runs) late.push(`of ${plan.runs} runs ${ends.length} came to an end`)
  return { ends, byHand, late }
}

/** Somebody changes their mind; it may have ended by then. */
function cancelLater(engine: Engine, runId: RunId, afterMs: number): void {
  setTimeout(() => {
    engine.cancelRun(runId).catch((thrown: unknown) => {
      const { code } = recordOfThrown(thrown)
      if (code !== 'run_already_final') throw thrown
    })
  }, afterMs)
}

async function undoAgain(engine: Engine, runId: RunId, signal: AbortSignal): Promise<RunRecord> {
  await engine.saga.act({ runId, action: 'retry', of: null, by: 'ada', reason: 'The service is back.' })
  return engine.waitForRun(runId, signal)
}
