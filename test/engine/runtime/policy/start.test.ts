/** What a policy does to runs that are to start, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { documentOf, one, setRules } from './policy-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

describe.each(Object.entries(sceneStores))('a run that starts under a policy on %s', (_name, open) => {
  const scene = async (engines = 1) => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch()
    return made
  }
  const nodesOf = async (here: EnginesScene, run: Awaited<ReturnType<EnginesScene['start']>>) =>
    (await here.records(run)).map(({ nodeId, status }) => `${nodeId} ${status}`).sort()

  it('begins at once where no rule names starts, or the one that does lets it', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'no', match: { workflows: ['other'] }, decision: 'DENY' }])
    const run = await here.start(one)
    await here.pass(0)
    expect(await nodesOf(here, run)).toEqual(['a RUNNING'])
  })

  it('is denied before any of its steps, with a dead letter [C21]', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'no', match: { workflows: ['orders'] }, decision: 'DENY' }])
    const run = await here.start(one)
    await here.pass(0)
    expect(await nodesOf(here, run)).toEqual(['$start DENIED'])
    expect(await here.run(run)).toMatchObject({ status: 'DENIED', error: { code: 'safety_denied' } })
    const filter = { reason: null, workflowId: null, runId: run }
    const letters = await here.store.list(0, 'deadLetters', { filter, page: { after: null, limit: 9 } })
    expect(letters).toMatchObject([{ nodeId: '$start', reason: 'safety_denied' }])
  })

  it('that was denied asks again when somebody has it go on, before any of its steps', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'no', match: { workflows: ['orders'] }, decision: 'DENY' }])
    const run = await here.start(one)
    await here.pass(0)
    const kept = { nodeId: null, input: null, document: null, by: null, reason: null }
    const again = { ...kept, runId: run, version: 'same' } as const
    await here.engines[0]?.retryRun(again)
    await here.pass(0)
    expect(await nodesOf(here, run)).toEqual(['$start DENIED', '$start DENIED'])
    expect((await here.run(run)).status).toBe('DENIED')
    await setRules(here, [])
    await here.engines[0]?.retryRun(again)
    await here.pass(0)
    expect(await nodesOf(here, run)).toEqual([
      '$start DENIED',
      '$start DENIED',
      '$start SUCCESS',
      'a RUNNING',
    ])
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('that had found no room is asked about once somebody has it go on', async () => {
    const here = await scene()
    const narrow = { ...one, settings: { concurrency: { limit: 1, onFull: 'fail' } } } as const
    await here.start(narrow)
    await here.pass(0)
    const run = await here.start(narrow)
    await here.pass(0)
    expect((await here.run(run)).error?.code).toBe('concurrency_limit')
    await here.end()
    await setRules(here, [{ id: 'no', match: { workflows: ['orders'] }, decision: 'DENY' }])
    const kept = { nodeId: null, input: null, document: null, by: null, reason: null }
    await here.engines[0]?.retryRun({ ...kept, runId: run, version: 'same' })
    await here.pass(0)
    expect(await nodesOf(here, run)).toEqual(['$start DENIED'])
  })

  it('waits while it is throttled, and then does all that it would have done', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'later', match: { at: 'start' }, decision: 'THROTTLE' }])
    const run = await here.start(one, { n: 7 })
    await here.pass(0)
    expect(await nodesOf(here, run)).toEqual(['$start REGISTERED'])
    expect(here.atWork).toHaveLength(0)
    await setRules(here, [])
    expect(await nodesOf(here, run)).toEqual(['$start SUCCESS', 'a RUNNING'])
    await here.end()
    expect(await here.run(run)).toMatchObject({ status: 'SUCCEEDED', output: { json: `"${run}"` } })
  })

  it('has no more time than the policy allows', async () => {
    const here = await scene()
    const match = { at: 'start' } as const
    await setRules(here, [{ id: 'short', match, decision: 'ALLOW', constraints: { maxRuntimeMs: 20_000 } }])
    const run = await here.start(one)
    await here.pass(0)
    const { deadlineAt, createdAt } = await here.run(run)
    expect(deadlineAt).toBe(createdAt + 20_000)
    await here.pass(25_000)
    expect((await here.run(run)).status).toBe('TIMED_OUT')
  })

  it('waits for room where the policy allows so many runs at once, and gives it back', async () => {
    const here = await scene(2)
    const match = { at: 'start' } as const
    await setRules(here, [{ id: 'two', match, decision: 'ALLOW', constraints: { maxConcurrent: 2 } }])
    for (let count = 0; count < 5; count += 1) await here.start(one, {}, count % 2)
    await here.pass(0)
    for (let left = 5; left > 0; left -= 1) {
      expect(here.atWork).toHaveLength(Math.min(2, left))
      await here.end()
      await here.pass(6_000)
    }
    expect(here.most).toBe(2)
    const held = await here.store.list(0, 'permits', {
      filter: { prefix: 'policy:' },
      page: { after: null, limit: 9 },
    })
    expect(held.flatMap(({ holders }) => holders)).toEqual([])
  })

  it('is let through by a velocity rule so many times within the window', async () => {
    const here = await scene()
    const velocity = { max: 1, windowMs: 60_000, key: 'workflow' }
    await setRules(here, [{ id: 'once', match: { at: 'start' }, velocity, decision: 'DENY' }])
    const first = await here.start(one)
    await here.pass(0)
    const second = await here.start(one)
    await here.pass(0)
    expect((await here.run(first)).status).toBe('RUNNING')
    expect((await here.run(second)).status).toBe('DENIED')
    await here.pass(61_000)
    const third = await here.start(one)
    await here.pass(0)
    expect((await here.run(third)).status).toBe('RUNNING')
  })

  it('that stood in line asks as its turn comes', async () => {
    const here = await scene()
    const limited = documentOf({ a: { kind: 'noop' } }, { settings: { concurrency: { limit: 1 } } })
    await here.start(limited)
    const second = await here.start(limited)
    await here.pass(0)
    expect((await here.run(second)).status).toBe('CREATED')
    await setRules(here, [{ id: 'no', match: { workflows: ['orders'], at: 'start' }, decision: 'DENY' }])
    await here.end()
    await here.pass(6_000)
    expect((await here.run(second)).status).toBe('DENIED')
  })

  it('and dies behind its gate is taken over by another engine', async () => {
    const here = await scene(2)
    await setRules(here, [{ id: 'later', match: { at: 'start' }, decision: 'THROTTLE' }])
    const run = await here.start(one, {}, 1)
    here.processes[1]?.die()
    await setRules(here, [])
    await here.pass(60_000)
    expect(await nodesOf(here, run)).toEqual(['$start SUCCESS', 'a RUNNING'])
  })
})
