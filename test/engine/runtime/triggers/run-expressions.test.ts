/** What expressions of triggers on runs see and give, and which runs count. */

import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { firingPrefix, readFiring } from '../../../../src-engine/model/trigger.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const sum = { kind: 'transform', parameters: { expression: '{ "total": input.a + input.b }' } }
const watched = (nodes: object, id = 'w') => documentOf({ id, nodes } as never)
const after = (parameters: object) => ({ kind: 'run-status', parameters: { workflow: 'w', ...parameters } })

async function listening(triggers: object) {
  const scene = new FlowScene(createMemoryStore())
  scenes.push(scene)
  scene.chores = true
  await scene.launch()
  const document = documentOf({ id: 'l', nodes: { a: { kind: 'noop' } }, triggers } as never)
  await scene.within(scene.engine.publishing.publish({ document, baseDirectory: null }))
  const run = async (nodes: object, input: JsonObject = {}, id?: string) => {
    const started = { document: watched(nodes, id), input, requestId: null, baseDirectory: null }
    await scene.within(scene.engine.startRun(started))
    await scene.pass(5_000)
  }
  const told = async () => {
    const page = { after: null, limit: 200 }
    const found = await scene.store.list(0, 'registers', { filter: { prefix: firingPrefix }, page })
    const firings = found.flatMap(({ value }) => readFiring(value) ?? []).reverse()
    return Promise.all(
      firings.map(async ({ triggerId, reason, words, runId }) => {
        if (runId === null) return { triggerId, reason, words }
        const { input } = await scene.run(runId)
        return { triggerId, input: input.kind === 'inline' ? JSON.parse(input.json) : null }
      }),
    )
  }
  return { scene, run, told }
}

test('an expression decides by what the run gave, and makes the input of it', async () => {
  const { run, told } = await listening({
    big: after({
      output: 'event.payload.output.total > 10',
      input: '{ "half": event.payload.output.total / 2 }',
    }),
    fields: after({ node: 'add', output: { total: 3 }, input: { fixed: true } }),
    whose: after({ filter: 'event.name = "run.SUCCEEDED" and event.payload.input.a = 10' }),
  })
  await run({ add: sum }, { a: 1, b: 2 })
  await run({ add: sum }, { a: 10, b: 20 })
  const records = await told()
  const found = records.filter(({ reason }) => reason === undefined)
  expect(found.toSorted((one, other) => (one.triggerId < other.triggerId ? -1 : 1))).toMatchObject([
    { triggerId: 'big', input: { half: 15 } },
    { triggerId: 'fields', input: { fixed: true } },
    { triggerId: 'whose', input: { input: { a: 10, b: 20 }, output: { total: 30 }, error: null } },
  ])
  const leftOut = records.flatMap(({ triggerId, reason, words }) =>
    reason === undefined ? [] : [`${triggerId}: ${reason}: ${words}`],
  )
  expect(leftOut.toSorted()).toEqual([
    'big: filtered: What came of it isn’t the output that it waits for.',
    'fields: filtered: What came of it isn’t the output that it waits for.',
    'whose: filtered: Its filter left it out.',
  ])
})

test('an expression that fails starts nothing and is told', async () => {
  const { run, told } = await listening({
    filters: after({ filter: '$error("no such thing")' }),
    inputs: after({ input: '$error("nor this")' }),
  })
  await run({ add: sum }, { a: 1, b: 2 })
  const found = (await told()).map(({ reason, words }) => `${reason}: ${words}`).toSorted()
  expect(found).toEqual([
    expect.stringContaining('expression_failed: Its filter failed: '),
    expect.stringContaining('expression_failed: The expression for its input failed: '),
  ])
})

test('what a failed step says is matched and handed on', async () => {
  const { run, told } = await listening({
    step: after({ node: 'bad', statuses: ['FAILED'], input: '{ "code": event.payload.error.code }' }),
    run: after({ statuses: ['FAILED'], errors: ['expression_*'] }),
    other: after({ statuses: ['FAILED'], errors: ['http_*'] }),
  })
  await run({ bad: { kind: 'transform', parameters: { expression: '$error("oh")' } } })
  const found = await told()
  expect(found.find(({ triggerId }) => triggerId === 'other')).toMatchObject({
    reason: 'filtered',
    words: 'The error was `expression_failed`, and it waits for http_*.',
  })
  expect(
    found
      .filter(({ reason }) => reason === undefined)
      .map(({ triggerId }) => triggerId)
      .toSorted(),
  ).toEqual(['run', 'step'])
  expect(found.find(({ triggerId }) => triggerId === 'step')?.input?.code).toMatch(/^expression_/)
})

test('a star is every workflow but its own; runs that are parts of others count, too', async () => {
  const { scene, run, told } = await listening({ all: after({ workflow: 'part-*' }) })
  const part = watched({ add: sum }, 'part-1')
  scene.workflows.set('part-1', { document: part, baseDirectory: null } as never)
  await run({ call: { kind: 'sub-workflow', parameters: { workflow: 'part-1', input: { a: 1, b: 2 } } } })
  await run({ add: sum }, { a: 1, b: 1 })
  expect(await told()).toMatchObject([
    { triggerId: 'all', input: { workflowId: 'part-1', output: { total: 3 } } },
  ])
})
