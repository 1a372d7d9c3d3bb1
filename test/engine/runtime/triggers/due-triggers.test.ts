/** What a look costs: as many reads as something is due, however many schedules there are. */

import { expect, test } from 'vitest'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { definitionHash, opId } from '../../../../src-engine/model/ids.ts'
import { day } from '../../../../src-engine/model/time.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { RunToStart } from '../../../../src-engine/runtime/starting/run-starter.ts'
import { createCronPlans } from '../../../../src-engine/runtime/triggers/cron-kind.ts'
import type { DueTriggersParts } from '../../../../src-engine/runtime/triggers/due-triggers.ts'
import { createDueTriggers } from '../../../../src-engine/runtime/triggers/due-triggers.ts'
import { registerTriggers } from '../../../../src-engine/runtime/triggers/registration.ts'
import { writeRegisters } from '../../../../src-engine/runtime/triggers/trigger-registers.ts'
import { callMarkPrefix } from '../../../../src-engine/runtime/webhooks/call-marks.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { cron, withTriggers } from './trigger-scene.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const start = Date.parse('2026-03-01T12:00:30Z')
const hash = definitionHash(`w1_${'0'.repeat(64)}`)
const run = { fence: { key: 'atomic-service/running', version: 0 } }

/** Triggers whose runs begin as their registers move, and nothing else of them. */
function createScene(document: WorkflowDocument) {
  const inner = createMemoryStore()
  const reads = { count: 0, registers: 0 }
  const store: typeof inner = {
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

test('of ten thousand schedules a look reads only those that are due', async () => {
  const scene = createScene(withTriggers({ t: cron() }))
  for (let workflow = 0; workflow < 100; workflow += 1) {
    const triggers = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
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

test('marks of calls are forgotten when they come due, however many, and keep no schedule waiting', async () => {
  const scene = createScene(withTriggers({ t: cron() }))
  await registerTriggers(scene.parts, { document: withTriggers({ t: cron() }), hash, baseDirectory: null })
  const dueAt = start + 1_000
  const marks = Array.from({ length: 250 }, (_, at) => ({
    ...{ key: `${callMarkPrefix}w/t/${at}`, version: 0, value: {} },
    dueAt: at < 249 ? dueAt : dueAt + day,
  }))
  await writeRegisters(scene.parts, marks)
  scene.time.now = Date.parse('2026-03-01T12:01:10Z')
  await scene.due.evaluate(run)
  const left = (prefix: string) =>
    scene.parts.store.list(0, 'registers', { filter: { prefix }, page: { after: null, limit: 300 } })
  expect((await left(callMarkPrefix)).map(({ key }) => key)).toEqual([`${callMarkPrefix}w/t/249`])
  expect(await left('firing/')).toHaveLength(1)
})
