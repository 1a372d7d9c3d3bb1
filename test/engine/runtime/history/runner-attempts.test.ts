/** What each runner did, try by try, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunnerAttempt, RunnerAttemptsQuery } from '../../../../src-engine/protocol/history.ts'
import { readRunnerAttempts } from '../../../../src-engine/runtime/history/runner-attempts.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const debug = (parameters: object) => ({ kind: 'debug', parameters: { ...parameters } })
const flaky = { ...debug({ failTimes: 1, failMessage: 'Not yet.' }), retry: { maxAttempts: 3, delayMs: 100 } }

describe.each(Object.entries(sceneStores))('tries of runners on %s', (_name, open) => {
  const launched = async (): Promise<FlowScene> => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    await scene.launch()
    return scene
  }
  const read = (here: FlowScene, asked: Partial<RunnerAttemptsQuery> = {}) => {
    const query = { runnerId: null, since: null, before: null, after: null, limit: 100, ...asked }
    return readRunnerAttempts(here.store, query, here.world.now)
  }
  const brief = ({ nodeId, number, outcome, problem }: RunnerAttempt): string =>
    `${nodeId} ${number} ${outcome ?? 'at work'}: ${problem ?? '-'}`

  it('has each try with its end, newest first, and the event that ended it', async () => {
    const here = await launched()
    const run = await here.play({ nodes: { a: flaky, b: debug({ sleepMs: 300 }) }, edges: edgesOf('a>b') })
    const { attempts, atWork, next } = await read(here)
    expect(attempts.map(brief)).toEqual(['b 1 succeeded: -', 'a 2 succeeded: -', 'a 1 failed: Not yet.'])
    expect(atWork).toEqual([])
    expect(next).toBeNull()
    const [b] = attempts
    expect(b).toMatchObject({
      runId: run.id,
      workflowTitle: run.workflowTitle,
      ...{ nodeTitle: null, taskKind: 'debug' },
      runnerId: here.engine.runnerId,
    })
    expect((b?.endedAt ?? 0) - (b?.startedAt ?? 0)).toBe(300)
    const then = await here.within(here.engine.stateAt(run.id, b?.seq ?? 0))
    expect(then.invocations.find(({ nodeId }) => nodeId === b?.nodeId)?.status).toBe('SUCCESS')
  })

  it('has what is under way, and what was lost with a runner before another took over', async () => {
    const here = await launched()
    const run = await here.start({ nodes: { a: debug({ sleepMs: 60_000 }) }, edges: {} })
    await here.pass(1_000)
    const first = here.engine.runnerId
    expect((await read(here)).atWork).toMatchObject([
      { runnerId: first, nodeId: 'a', number: 1, endedAt: null },
    ])
    here.crash()
    await here.launch()
    await here.pass(1_000)
    const { attempts, atWork } = await read(here)
    expect(attempts).toMatchObject([{ runnerId: first, number: 1, outcome: 'lost', runId: run }])
    expect(atWork).toMatchObject([
      { runnerId: here.engine.runnerId, number: 2, workflowTitle: expect.any(String) },
    ])
    expect((await read(here, { runnerId: first })).atWork).toEqual([])
    expect((await read(here, { runnerId: here.engine.runnerId })).attempts).toEqual([])
  })

  it('is read by page, each try once, and not further back than asked for', async () => {
    const here = await launched()
    for (let count = 0; count < 4; count += 1)
      await here.play({ nodes: { a: debug({}), b: debug({}) }, edges: edgesOf('a>b') })
    const seen: string[] = []
    for (let before: string | null = null; ; ) {
      const page = await read(here, { before, limit: 3 })
      seen.push(...page.attempts.map(({ id }) => id))
      if (page.next === null) break
      before = page.next
    }
    expect(new Set(seen).size).toBe(8)
    expect(seen).toHaveLength(8)
    const since = here.world.now - 1_500
    const late = await read(here, { since })
    expect(late.attempts).toHaveLength(2)
    expect(late.next).toBeNull()
  })

  it('goes on from where an answer ended', async () => {
    const here = await launched()
    await here.play({ nodes: { a: debug({}) }, edges: {} })
    const { cursor } = await read(here)
    expect(await read(here, { after: cursor })).toMatchObject({ attempts: [], more: false })
    await here.play({ nodes: { b: debug({}) }, edges: {} })
    const news = await read(here, { after: cursor })
    expect(news.attempts.map(brief)).toEqual(['b 1 succeeded: -'])
    expect((await read(here, { after: news.cursor })).attempts).toEqual([])
  })
})
