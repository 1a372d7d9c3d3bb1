/** A step that nobody saw end, whose kind can find out whether it happened: its next attempt begins with that. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { ProbeAnswer } from '../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../simulation/stores.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const step = (more: JsonObject = {}) =>
  documentOf({
    nodes: {
      a: {
        kind: 'code-task',
        parameters: { task: 'acme.pay', code: 'export default {}', probes: true },
        onLost: 'verify',
        ...more,
      },
    },
  })

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  /** One engine at work on the step, and another to take over; the answers are given in turn. */
  const begun = async (answers: readonly (ProbeAnswer | Error)[], more: JsonObject = {}) => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    const left = [...answers]
    const asked: number[] = []
    here.probe = async ({ attempt }) => {
      asked.push(attempt)
      const answer = left.shift()
      if (answer === undefined) throw new Error('nobody was to ask')
      if (answer instanceof Error) throw answer
      return answer
    }
    await here.launch({ maxConcurrentTasks: 1 })
    const run = await here.start(step(more))
    await here.pass(10)
    await here.launch({ maxConcurrentTasks: 1 })
    return { here, run, asked }
  }
  const die = async (here: EnginesScene, engine = 0): Promise<void> => {
    here.processes[engine]?.die()
    here.atWork.splice(0, here.atWork.length, ...here.atWork.filter((work) => work.engine !== engine))
    await here.pass(10_000)
  }
  const step1 = async (here: EnginesScene, run: RunId) => {
    const [record] = await here.records(run)
    if (record === undefined) throw new Error('the run has no step')
    return record
  }

  it('what had happened is taken as done, with what it would have given, and does not run again', async () => {
    const { here, run, asked } = await begun([{ happened: true, output: { id: 'ch_1' }, ports: null }])
    await die(here)
    expect(asked).toEqual([2])
    expect(here.begun).toHaveLength(1)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(await step1(here, run)).toMatchObject({
      status: 'SUCCESS',
      error: null,
      output: { kind: 'inline', json: '{"id":"ch_1"}' },
    })
  })

  it('what had not happened begins', async () => {
    const { here, run, asked } = await begun([{ happened: false }])
    await die(here)
    expect(asked).toEqual([2])
    expect(here.begun).toHaveLength(2)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('a person is asked where nobody can tell, and hears why; running it again asks nobody', async () => {
    const { here, run, asked } = await begun([new Error('the shop doesn’t answer')])
    await die(here)
    const waiting = await step1(here, run)
    expect(waiting).toMatchObject({ status: 'APPROVAL_REQUIRED', error: { code: 'indeterminate_effect' } })
    expect(here.begun).toHaveLength(1)
    await here.engines[1]?.resolveInvocation(run, waiting.id, { kind: 'run-again' })
    await here.pass(1_000)
    expect(here.begun).toHaveLength(2)
    expect(asked).toEqual([2])
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('a kind that can’t tell says so to a person', async () => {
    const { here, run } = await begun([])
    here.probe = null
    await die(here)
    const { status, waitReason } = await step1(here, run)
    expect(status).toBe('APPROVAL_REQUIRED')
    expect(waitReason?.message).toContain('could not be found out')
  })

  it('who dies while it finds out leaves it to be found out by the next', async () => {
    const { here, run, asked } = await begun([])
    const held: ((answer: ProbeAnswer) => void)[] = []
    here.probe = ({ attempt }) => {
      asked.push(attempt)
      return new Promise((resolve) => held.push(resolve))
    }
    await die(here)
    await here.launch({ maxConcurrentTasks: 1 })
    await die(here, 1)
    expect(asked).toEqual([2, 3])
    expect(here.begun).toHaveLength(1)
    held[1]?.({ happened: true, output: 1, ports: null })
    await here.pass(100)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('what is handed back while it is found out is found out by the next', async () => {
    const { here, run, asked } = await begun([])
    const held: ((answer: ProbeAnswer) => void)[] = []
    here.probe = ({ attempt, signal }) => {
      asked.push(attempt)
      return new Promise((resolve, reject) => {
        held.push(resolve)
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      })
    }
    await die(here)
    await here.launch({ maxConcurrentTasks: 1 })
    const stopping = here.engines[1]?.stop()
    await here.pass(10_000)
    await stopping
    expect(asked).toEqual([2, 3])
    held[1]?.({ happened: false })
    await here.pass(100)
    expect(here.begun).toHaveLength(2)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('a probe that takes too long is not taken for a timeout of the step, which would be tried again', async () => {
    const retry = { maxAttempts: 3, delayMs: 10 }
    const { here, run } = await begun([], { retry, timeout: { attemptMs: 1_000 } })
    here.probe = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    await die(here)
    expect(await step1(here, run)).toMatchObject({
      status: 'APPROVAL_REQUIRED',
      error: { code: 'indeterminate_effect' },
    })
    expect(here.begun).toHaveLength(1)
  })

  it('a failure that was told leaves no doubt: the next attempt asks nobody', async () => {
    const { here, run, asked } = await begun([{ happened: false }], {
      retry: { maxAttempts: 3, delayMs: 10, jitter: 0 },
    })
    await die(here)
    await here.end(new SagasmithError('debug_failure'))
    await here.pass(1_000)
    expect(asked).toEqual([2])
    expect(here.begun).toHaveLength(3)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })
})
