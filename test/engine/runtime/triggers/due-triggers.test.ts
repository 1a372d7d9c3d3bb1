/** What a look costs: as many reads as something is due, however many schedules there are. */

import Database from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { definitionHash, opId, storeId } from '../../../../src-engine/model/ids.ts'
import { day } from '../../../../src-engine/model/time.ts'
import { capturePrefix } from '../../../../src-engine/model/webhook-capture.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { RunToStart } from '../../../../src-engine/runtime/starting/run-starter.ts'
import { createCronPlans } from '../../../../src-engine/runtime/triggers/cron-kind.ts'
import type { DueTriggersParts } from '../../../../src-engine/runtime/triggers/due-triggers.ts'
import { createDueTriggers } from '../../../../src-engine/runtime/triggers/due-triggers.ts'
import { registerTriggers } from '../../../../src-engine/runtime/triggers/registration.ts'
import { writeRegisters } from '../../../../src-engine/runtime/triggers/trigger-registers.ts'
import { callMarkPrefix } from '../../../../src-engine/runtime/webhooks/call-marks.ts'
import { webhookTestPrefix } from '../../../../src-engine/runtime/webhooks/open-tests.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { cron, withTriggers } from './trigger-scene.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const start = Date.parse('2026-03-01T12:00:30Z')
const hash = definitionHash(`w1_${'0'.repeat(64)}`)
const run = { fence: { key: 'atomic-service/running', version: 0 } }

/** Triggers whose runs begin as their registers move, and nothing else of them. */
function createScene(document: WorkflowDocument, inner: Store = createMemoryStore()) {
  const reads = { count: 0, registers: 0 }
  const store: Store = {
    ...inner,
    load: async (partition, kind, input) => {
      reads.count += 1
      const found = await inner.load(partition, kind, input)
      if (kind === 'dueRegisters')
        reads.registers += (found as { readonly due: readonly unknown[] }).due.length
      return found
    },
  }
  const time = { now: start }
  let serial = 0
  const ids = { next: () => `id${(serial += 1)}` }
  const begin = async ({ registers = [] }: RunToStart): Promise<boolean> => {
    const writes = registers.flatMap(({ key, value, dueAt }) =>
      value === undefined ? [] : [{ key, value, ...(dueAt === undefined ? {} : { dueAt }) }],
    )
    const [answer] = await inner.commit(0, [
      {
        partition: 0,
        opId: opId(ids.next()),
        actor: { kind: 'trigger', id: null },
        at: time.now,
        expect: { invocations: [], registers: registers.map(({ key, version }) => ({ key, version })) },
        writes: { ...noWrites, registers: writes },
        events: [],
      },
    ])
    return answer?.kind === 'accepted'
  }
  const version = async () => ({ document: JSON.stringify(document) })
  const parts = {
    ...{ store, partition: 0, ids, log: quiet },
    clock: { now: () => time.now },
    plans: createCronPlans(),
    starter: { begin },
    definitions: { version },
    payloads: { keep: async (json: string) => ({ kind: 'inline', json }) },
    admission: { admitInput: (_: unknown, input: unknown) => input },
    cancelRun: async () => {},
  } as unknown as DueTriggersParts
  return { parts, time, reads, due: createDueTriggers(parts) }
}

test('of a thousand schedules a look reads only those that are due', async () => {
  const scene = createScene(withTriggers({ t: cron() }))
  for (let workflow = 0; workflow < 32; workflow += 1) {
    const triggers = Object.fromEntries(
      Array.from({ length: 32 }, (_, index) => [
        `t${index}`,
        cron(index === 0 ? `${workflow} 13 * * *` : '0 9 * * *'),
      ]),
    )
    const document = { ...withTriggers(triggers), id: `w${workflow}` as WorkflowDocument['id'] }
    await registerTriggers(scene.parts, { document, hash, baseDirectory: null })
  }
  const look = async (at: string) => {
    scene.time.now = Date.parse(at)
    scene.reads.count = 0
    scene.reads.registers = 0
    await scene.due.refresh()
    await scene.due.evaluate(run)
    return { ...scene.reads }
  }
  expect(await look('2026-03-01T12:59:59Z')).toEqual({ count: 2, registers: 0 })
  expect(scene.due.nextAt()).toBe(Date.parse('2026-03-01T13:00:00Z'))
  const three = await look('2026-03-01T13:02:30Z')
  expect(three.registers).toBe(3)
  expect(three.count).toBeLessThan(12)
  expect(scene.due.nextAt()).toBe(Date.parse('2026-03-01T13:03:00Z'))
})

/** Counts what any file of SQLite is asked from now on. */
function statementsAsked(): () => number {
  const database = new Database(':memory:')
  const statements: Database.Statement = Object.getPrototypeOf(database.prepare('select 1'))
  database.close()
  const spies = (['all', 'get', 'run', 'iterate'] as const).map((name) => vi.spyOn(statements, name))
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

test('a look that finds nothing due asks SQLite as little with a thousand schedules as with one', async () => {
  const asked: number[] = []
  for (const workflows of [1, 32]) {
    const clock = { now: () => start, after: () => () => {} }
    const inner = await openSqliteStore({ directory: ':memory:', storeId: storeId('counted'), clock })
    const scene = createScene(withTriggers({ t: cron() }), inner)
    for (let workflow = 0; workflow < workflows; workflow += 1) {
      const names = Array.from({ length: workflows }, (_, index) => [`t${index}`, cron('0 9 * * *')])
      const document = {
        ...withTriggers(Object.fromEntries(names)),
        id: `w${workflow}` as WorkflowDocument['id'],
      }
      await registerTriggers(scene.parts, { document, hash, baseDirectory: null })
    }
    const count = statementsAsked()
    await scene.due.refresh()
    await scene.due.evaluate(run)
    asked.push(count())
    vi.restoreAllMocks()
    expect(scene.reads).toMatchObject({ registers: 0 })
    await inner.close()
  }
  const [one = 0, many] = asked
  expect(many).toBe(one)
  expect(one).toBeGreaterThan(0)
  expect(one).toBeLessThanOrEqual(4)
})

test('one that can’t be decided is tried again later, and keeps nobody waiting', async () => {
  const scene = createScene(withTriggers({ t: cron() }))
  const good = { ...withTriggers({ t: cron() }), id: 'good' as WorkflowDocument['id'] }
  const bad = { ...withTriggers({ t: cron() }), id: 'bad' as WorkflowDocument['id'] }
  for (const document of [bad, good])
    await registerTriggers(scene.parts, { document, hash, baseDirectory: null })
  const { begin } = scene.parts.starter
  let isBroken = true
  Object.assign(scene.parts.starter, {
    begin: async (asked: RunToStart) => {
      if (isBroken && asked.record.requestId?.startsWith('cron:bad') === true) throw new Error('no')
      return begin(asked)
    },
  })
  scene.time.now = Date.parse('2026-03-01T12:01:10Z')
  await scene.due.evaluate(run)
  expect(scene.due.nextAt()).toBe(Date.parse('2026-03-01T12:01:40Z'))
  const fired = async () =>
    (
      await scene.parts.store.list(0, 'registers', {
        filter: { prefix: 'firing/' },
        page: { after: null, limit: 9 },
      })
    ).map(({ key }) => key.split('/')[2])
  expect(await fired()).toEqual(['good'])
  isBroken = false
  scene.time.now = Date.parse('2026-03-01T12:01:40Z')
  await scene.due.evaluate(run)
  expect(await fired()).toEqual(['bad', 'good'])
})

test.each([callMarkPrefix, capturePrefix, webhookTestPrefix])(
  'what is kept at %s for a time is forgotten then, however many, and keeps no schedule waiting',
  async (prefix) => {
    const scene = createScene(withTriggers({ t: cron() }))
    await registerTriggers(scene.parts, { document: withTriggers({ t: cron() }), hash, baseDirectory: null })
    const dueAt = start + 1_000
    const marks = Array.from({ length: 250 }, (_, at) => ({
      ...{ key: `${prefix}w/t/${at}`, version: 0, value: {} },
      dueAt: at < 249 ? dueAt : dueAt + day,
    }))
    await writeRegisters(scene.parts, marks)
    scene.time.now = Date.parse('2026-03-01T12:01:10Z')
    await scene.due.evaluate(run)
    const left = (of: string) =>
      scene.parts.store.list(0, 'registers', { filter: { prefix: of }, page: { after: null, limit: 300 } })
    expect((await left(prefix)).map(({ key }) => key)).toEqual([`${prefix}w/t/249`])
    expect(await left('firing/')).toHaveLength(1)
  },
)
