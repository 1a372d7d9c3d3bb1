/** One log of all runs: what was printed and what happened, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { LogEntry, LogQuery } from '../../../../src-engine/protocol/history.ts'
import { searchLogs } from '../../../../src-engine/runtime/history/log-search.ts'
import { createPayloadStore } from '../../../../src-engine/runtime/payload-store.ts'
import { sceneStores, simulationStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const log = (message: string, level = 'info'): JsonObject => ({ kind: 'log', parameters: { message, level } })
const pause = (ms: number): JsonObject => ({ kind: 'debug', parameters: { sleepMs: ms } })
const boom: JsonObject = {
  kind: 'debug',
  parameters: { failTimes: 9, failMessage: 'Boom.', retryable: false },
}

const everything: LogQuery = {
  ...{ text: null, level: 'debug', source: 'all', runId: null, step: null, runnerId: null },
  ...{ since: null, until: null, before: null, after: null, limit: 100 },
}

describe.each(Object.entries(sceneStores))('the log on %s', (_name, open) => {
  const launched = async (): Promise<FlowScene> => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    await scene.launch()
    return scene
  }
  const search = ({ store, engine, world }: FlowScene, asked: Partial<LogQuery> = {}) => {
    const query = { ...everything, ...asked }
    const payloads = createPayloadStore(store)
    const printing = engine.liveSoFar(query.runId)
    return searchLogs({ store, payloads, printing, runnerId: engine.runnerId, now: world.now }, query)
  }
  const brief = ({ nodeId, level, stream, text }: LogEntry): string =>
    `${nodeId ?? '-'} ${level} ${stream === 'event' ? 'event' : 'line'}: ${text}`

  it('has what happened and what was printed, newest first, with the run, the step and the event', async () => {
    const here = await launched()
    const run = await here.play({ nodes: { a: log('Hello.'), b: boom }, edges: edgesOf('a>b') })
    const { entries, next } = await search(here, { level: 'info' })
    expect(next).toBeNull()
    const told = entries.map(brief)
    expect(told).toContain('a info line: Hello.')
    expect(told).toContain('- error event: Run failed: Boom.')
    expect(told.find((words) => words.startsWith('b error event: Failed'))).toContain('Boom.')
    expect(told.at(-1)).toContain('Run of “')
    expect(told.indexOf('- error event: Run failed: Boom.')).toBeLessThan(told.indexOf('a info line: Hello.'))
    const line = entries.find(({ text }) => text === 'Hello.')
    expect(line).toMatchObject({
      runId: run.id,
      workflowTitle: run.workflowTitle,
      runnerId: here.engine.runnerId,
    })
    const then = await here.within(here.engine.stateAt(run.id, line?.seq ?? 0))
    expect(then.invocations.find(({ nodeId }) => nodeId === 'a')?.status).toBe('SUCCESS')
  })

  it('says what people call the step, and of what kind it is', async () => {
    const here = await launched()
    const a = { ...log('Hello.'), title: 'Greet' }
    await here.play({ nodes: { a, b: log('Bye.') }, edges: edgesOf('a>b') })
    const { entries } = await search(here, { level: 'info' })
    const named = (text: string) => entries.find((entry) => entry.text.startsWith(text))
    expect(named('Hello.')).toMatchObject({ nodeTitle: 'Greet', taskKind: 'log' })
    expect(named('Bye.')).toMatchObject({ nodeTitle: null, taskKind: 'log' })
    expect(named('Run of')).toMatchObject({ nodeTitle: null, taskKind: null })
  })

  it('is narrowed by what people call the step, too, whatever its id is', async () => {
    const here = await launched()
    const settings = { output: '"Given."' }
    const greet = { ...log('Hello.'), title: 'Greet them' }
    await here.play({ nodes: { a: greet, b: log('Bye.') }, edges: edgesOf('a>b'), settings })
    await here.play({ nodes: { a: log('Another.'), b: { ...log('Mine.'), title: 'Greet them' } }, edges: {} })
    const texts = async (step: string) =>
      (await search(here, { source: 'lines', step })).entries.map(({ text }) => text).toSorted()
    expect(await texts(' greet THEM ')).toEqual(['Hello.', 'Mine.'])
    expect(await texts('Log')).toEqual(['Another.', 'Bye.'])
    expect(await texts('a')).toEqual(['Another.', 'Hello.'])
    expect(await texts('Greet')).toEqual([])
    const { entries } = await search(here, { source: 'events', step: 'Output' })
    expect(entries.map(({ nodeId, nodeTitle }) => [nodeId, nodeTitle])).toContainEqual(['$output', 'Output'])
  })

  it('is narrowed by text, level, source, run, step, runner and pasted ids', async () => {
    const here = await launched()
    const first = await here.play({
      nodes: { a: log('One apple.'), b: log('Two pears.', 'warn') },
      edges: edgesOf('a>b'),
    })
    const second = await here.play({ nodes: { a: log('Three apples.') }, edges: {} })
    const texts = async (asked: Partial<LogQuery>) =>
      (await search(here, { source: 'lines', ...asked })).entries.map(({ text }) => text)
    expect(await texts({})).toEqual(['Three apples.', 'Two pears.', 'One apple.'])
    expect(await texts({ text: 'APPLE' })).toEqual(['Three apples.', 'One apple.'])
    expect(await texts({ level: 'warn' })).toEqual(['Two pears.'])
    expect(await texts({ runId: first.id })).toEqual(['Two pears.', 'One apple.'])
    expect(await texts({ step: 'a', runId: first.id })).toEqual(['One apple.'])
    expect(await texts({ step: `${second.id}/a` })).toEqual(['Three apples.'])
    expect(await texts({ text: second.id })).toEqual(['Three apples.'])
    expect(await texts({ runnerId: here.engine.runnerId })).toHaveLength(3)
    expect(await texts({ text: 'no such thing' })).toEqual([])
    const { entries } = await search(here, { source: 'events', level: 'info' })
    expect(entries.every(({ stream }) => stream === 'event')).toBe(true)
  })

  it('is narrowed by time, also where lines stand with a step that ended later', async () => {
    const here = await launched()
    const began = here.world.now
    await here.play({ nodes: { a: log('Early.') }, edges: {} })
    await here.pass(10_000)
    const middle = here.world.now
    await here.start({ nodes: { a: log('Late.'), b: pause(30_000) }, edges: edgesOf('a>b') })
    await here.pass(60_000)
    const texts = async (asked: Partial<LogQuery>) =>
      (await search(here, { source: 'lines', ...asked })).entries.map(({ text }) => text)
    expect(await texts({ until: middle })).toEqual(['Early.'])
    expect(await texts({ since: middle })).toEqual(['Late.'])
    expect(await texts({ since: began, until: middle + 1_000 })).toEqual(['Late.', 'Early.'])
    // Nobody looks back behind what is asked for.
    expect((await search(here, { since: middle })).next).toBeNull()
  })

  it('is read by page, each entry once, and on from where an answer ended', async () => {
    const here = await launched()
    const { cursor: empty } = await search(here)
    const runs: RunId[] = []
    for (let count = 0; count < 3; count += 1)
      runs.push((await here.play({ nodes: { a: log(`Line ${count}.`) }, edges: {} })).id)
    const seen: string[] = []
    for (let before: string | null = null; ; ) {
      const page = await search(here, { before, limit: 4 })
      seen.push(...page.entries.map(({ id }) => id))
      if (page.next === null) break
      before = page.next
    }
    const { entries } = await search(here)
    expect(seen.toSorted()).toEqual(entries.map(({ id }) => id).toSorted())
    expect(new Set(seen).size).toBe(seen.length)
    const news = await search(here, { after: empty })
    expect(news.entries.map(({ id }) => id).toSorted()).toEqual(seen.toSorted())
    expect((await search(here, { after: news.cursor })).entries).toEqual([])
    const [, second] = runs
    const ofOne = await search(here, { after: empty, runId: second ?? null, source: 'lines' })
    expect(ofOne.entries.map(({ text }) => text)).toEqual(['Line 1.'])
  })

  it('tells that a log can’t be read, and goes on with the others', async () => {
    const here = await launched()
    await here.play({ nodes: { a: log('Gone.'), b: log('Here.') }, edges: edgesOf('a>b') })
    const payloads = {
      value: (payload: { readonly kind: string; readonly json?: string }) => {
        if (payload.json?.includes('Gone.') === true) throw new Error('It is damaged.')
        return JSON.parse(payload.json ?? '')
      },
    }
    const { store, world } = here
    const parts = { store, payloads, printing: [], runnerId: here.engine.runnerId, now: world.now }
    const { entries } = await searchLogs(parts, { ...everything, source: 'lines' })
    expect(entries.map(brief)).toEqual([
      'b info line: Here.',
      'a warn line: Its log isn’t read here: It is damaged.',
    ])
  })
})

it('has what steps under way have printed so far', async () => {
  const here = new FlowScene(await simulationStores['memory']!())
  scenes.push(here)
  await here.launch()
  const { store, world, engine } = here
  const printing = [1, 2].map((number) => ({
    runId: 'run_a' as never,
    invocationId: 'run_a/pay@each:3' as never,
    line: { at: number, level: 'info' as const, stream: 'stdout', text: `No. ${number}` },
  }))
  const parts = {
    store,
    payloads: createPayloadStore(store),
    printing,
    runnerId: engine.runnerId,
    now: world.now,
  }
  const found = await searchLogs(parts, everything)
  expect(found.printing).toMatchObject([
    { text: 'No. 2', nodeId: 'pay', seq: null },
    { text: 'No. 1', nodeId: 'pay', seq: null },
  ])
  expect((await searchLogs(parts, { ...everything, text: 'no. 2' })).printing).toHaveLength(1)
  expect((await searchLogs(parts, { ...everything, before: '0.1.1' })).printing).toEqual([])
})
