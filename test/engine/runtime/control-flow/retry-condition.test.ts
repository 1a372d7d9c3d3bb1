/** Retries on a condition: what it sees, who is asked when, and what becomes of one that nobody can tell. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const shaky = (retryIf: string, more: JsonObject = {}): JsonObject => ({
  kind: 'ask-model',
  parameters: { model: 'm' },
  retry: { maxAttempts: 5, delayMs: 10, jitter: 0, retryIf },
  ...more,
})

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  /** A step that fails with each of these statuses in turn, and then works. */
  const scene = async (statuses: readonly number[]): Promise<FlowScene> => {
    const here = new FlowScene(await open())
    scenes.push(here)
    const left = [...statuses]
    here.instead.set('ask-model', {
      execute: async () => {
        const status = left.shift()
        if (status === undefined) return completed('done')
        throw new SagasmithError('http_status', { message: `Answered ${status}.`, details: { status } })
      },
    })
    await here.launch()
    return here
  }
  const logOf = async (here: FlowScene, run: { readonly id: string }): Promise<string> =>
    JSON.stringify((await here.engine.attempts(run.id as never, null)).map(({ log }) => log))
  const play = async (here: FlowScene, nodes: JsonObject, input: JsonValue = {}) => {
    const run = await here.play({ nodes }, input)
    const attempts = await here.engine.attempts(run.id, null)
    return { run, tries: attempts.length, log: await logOf(here, run) }
  }

  it('a failure is tried again while it is true, whatever the error itself says', async () => {
    // 404 is hopeless by itself.
    const here = await scene([404, 404])
    const { run, tries } = await play(here, { call: shaky('error.details.status = 404') })
    expect([run.status, valueOf(run), tries]).toEqual(['SUCCEEDED', 'done', 3])
  })

  it('and not where it is false, though the error calls it worth it; the log says why', async () => {
    const here = await scene([503, 503])
    const { run, tries, log } = await play(here, { call: shaky('error.details.status = 404') })
    expect([run.status, run.error?.code, tries]).toEqual(['FAILED', 'http_status', 1])
    expect(log).toContain('Isn’t tried again, because this isn’t true: error.details.status = 404')
  })

  it('sees the try that it is, and what the step’s own fields see', async () => {
    const here = await scene([503, 503, 503, 503])
    const { tries } = await play(
      here,
      { call: shaky('run.attempt < input.tries and error.retryable and vars = {}') },
      { tries: 3 },
    )
    expect(tries).toBe(3)
  })

  it('one that nobody can tell keeps the step from being tried again, with the error that it had', async () => {
    const here = await scene([503])
    const { run, tries, log } = await play(here, { call: shaky('$error("no idea")') })
    expect([run.status, run.error?.code, tries]).toEqual(['FAILED', 'http_status', 1])
    expect(log).toContain('nobody could tell whether this is true')
    expect(log).toContain('no idea')
  })

  it('is asked of timeouts, too', async () => {
    const here = await scene([])
    here.instead.set('ask-model', {
      execute: (_parameters, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new SagasmithError('task_cancelled')))
        }),
    })
    const { run, tries } = await play(here, {
      call: shaky('error.code != "task_timeout"', { timeout: { attemptMs: 50 } }),
    })
    expect([run.status, tries]).toEqual(['TIMED_OUT', 1])
  })

  it('is not asked where the last try has failed, or codes have decided', async () => {
    const here = await scene([503, 503])
    const nodes = {
      call: shaky('$error("asked")', { retry: { maxAttempts: 1, retryIf: '$error("asked")' } }),
    }
    expect((await play(here, nodes)).log).not.toContain('asked')
    const never = { maxAttempts: 5, neverOn: ['http_status'], retryIf: '$error("asked")' }
    expect((await play(here, { call: shaky('', { retry: never }) })).log).not.toContain('asked')
  })

  it('of a step that waits for another run, too: that run’s failure is asked about', async () => {
    const here = await scene([404, 404])
    const child = documentOf({
      id: 'child',
      nodes: { call: { kind: 'ask-model', parameters: { model: 'm' } } },
    })
    here.workflows.set('child', { document: child, folder: null })
    const again = (retryIf: string): JsonObject => ({
      kind: 'sub-workflow',
      parameters: { workflow: 'child' },
      retry: { maxAttempts: 5, delayMs: 10, retryIf },
    })
    const { run } = await play(here, {
      sub: again('error.details.cause = "http_status" and run.attempt < 3'),
    })
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', 'done'])
    const fails = await scene([404, 404])
    fails.workflows.set('child', { document: child, folder: null })
    const other = await play(fails, { sub: again('error.details.cause = "http_other"') })
    expect([other.run.status, other.run.error?.code]).toEqual(['FAILED', 'sub_run_failed'])
  })

  it('what undoes a step is asked with its own', async () => {
    const here = await scene([404, 404])
    const { run } = await play(here, {
      book: {
        kind: 'log',
        parameters: { message: 'booked' },
        compensation: {
          task: { kind: 'ask-model', parameters: { model: 'm' } },
          retry: { delayMs: 10, retryIf: 'error.details.status = 404 and $exists(original.output)' },
        },
      },
      fail: { kind: 'stop', parameters: { status: 'failed' } },
    })
    expect(run.status).toBe('COMPENSATED')
  })

  it('elsewhere the name “error” means nothing', async () => {
    const here = await scene([])
    const run = await here.play({
      nodes: {
        look: {
          kind: 'transform',
          parameters: { expression: '{ "there": $exists(error), "code": error.code }' },
        },
      },
      edges: edgesOf(),
    })
    expect(valueOf(run)).toEqual({ there: false })
    const plain = await here.play({
      nodes: { look: { kind: 'transform', parameters: { expression: '$exists(error.code)' } } },
    })
    expect(valueOf(plain)).toBe(false)
  })
})
