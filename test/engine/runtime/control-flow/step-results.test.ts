/** Settings that look at what a step gives: runs that end after it, and outputs that are never written whole. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { completed } from '../../../../src-engine/tasks/task.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { readHistory } from '../../../support/history.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const transform = (expression: string, more: JsonObject = {}): JsonObject => ({
  kind: 'transform',
  parameters: { expression },
  ...more,
})

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const here = new FlowScene(await open())
    scenes.push(here)
    await here.launch()
    return here
  }
  const play = async (parts: JsonObject, input: JsonValue = {}) => {
    const here = await scene()
    const run = await here.play(parts, input)
    return { here, run, statuses: await here.statuses(run.id) }
  }
  const record = async (here: FlowScene, run: { readonly id: string }, node: string) =>
    (await here.store.load(0, 'invocations', { runId: run.id as never })).find(
      ({ nodeId }) => nodeId === node,
    )

  describe('a run ends after a step', () => {
    const nodes = (more: JsonObject = {}): JsonObject => ({
      look: transform('{ "left": input.left }', { stopAfterIf: 'output.left = 0', ...more }),
      work: transform('"worked on " & $string(input.left)'),
      wait: { kind: 'delay', parameters: { amount: 1, unit: 'hours' } },
    })
    const edges = edgesOf('look>work')

    it('not where its condition is false', async () => {
      const { wait: _wait, ...rest } = nodes() as Record<string, JsonObject>
      const { here, run } = await play({ nodes: rest, edges }, { left: 3 })
      expect(valueOf(run)).toBe('worked on 3')
      expect((await record(here, run, 'look'))?.dispatch?.stopped).toBeUndefined()
    })

    it('as succeeded with what it gave; what else is under way is cancelled, and the record says why', async () => {
      const { here, run, statuses } = await play({ nodes: nodes(), edges }, { left: 0 })
      expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', { left: 0 }])
      expect(statuses).toEqual({ look: 'SUCCESS', wait: 'CANCELLED' })
      expect(await record(here, run, 'look')).toMatchObject({
        ports: [],
        dispatch: { stopped: { condition: 'output.left = 0', status: 'succeeded' } },
      })
      const attempts = await here.engine.attempts(run.id, null)
      const attempt = attempts.find(({ invocationId }) => invocationId.endsWith('/look'))
      expect(attempt?.outcome).toBe('succeeded')
      expect(JSON.stringify(attempt?.log)).toContain('Ends the run, because this is true: output.left = 0')
    })

    it('as failed, with an error that says why, or as cancelled', async () => {
      const failed = await play({ nodes: nodes({ stopAs: 'failed' }), edges }, { left: 0 })
      expect(failed.run).toMatchObject({
        status: 'FAILED',
        error: {
          code: 'run_stopped',
          message: 'The run was ended after “look”, because this is true: output.left = 0',
        },
      })
      expect(failed.statuses['look']).toBe('SUCCESS')
      const cancelled = await play({ nodes: nodes({ stopAs: 'cancelled' }), edges }, { left: 0 })
      expect(cancelled.run.status).toBe('CANCELLED')
    })

    it('sees what the step’s own fields see, also inside of a map', async () => {
      const { run } = await play(
        {
          nodes: {
            each: { kind: 'map', parameters: { items: 'input.all', limit: 1 } },
            find: transform('item', {
              parent: 'each',
              stopAfterIf: 'output = run.input.wanted and loop.index = 1',
            }),
          },
        },
        { all: [7, 7, 7], wanted: 7 },
      )
      expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', 7])
    })

    it('from within a loop, which doesn’t begin another turn', async () => {
      const { here, run } = await play({
        nodes: {
          loop: { kind: 'loop', parameters: { mode: 'count', count: 3 } },
          look: transform('1', { parent: 'loop', stopAfterIf: 'output = 1', stopAs: 'failed' }),
          wait: { kind: 'delay', parameters: { amount: 1, unit: 'hours' } },
        },
      })
      expect(run).toMatchObject({ status: 'FAILED', error: { code: 'run_stopped' } })
      const attempts = await here.engine.attempts(run.id, null)
      expect(attempts.filter(({ invocationId }) => invocationId.endsWith('/loop'))).toHaveLength(1)
    })

    it('as failed, also where another branch had failed and the run went on all the same', async () => {
      const { run, statuses } = await play({
        settings: { onFailure: 'finish' },
        nodes: {
          fail: { kind: 'debug', parameters: { failTimes: 9, retryable: false } },
          short: { kind: 'delay', parameters: { amount: 1, unit: 'seconds' } },
          look: transform('1', { stopAfterIf: 'output = 1', stopAs: 'failed' }),
          work: transform('2'),
          wait: { kind: 'delay', parameters: { amount: 1, unit: 'hours' } },
        },
        edges: edgesOf('short>look', 'look>work'),
      })
      expect(run).toMatchObject({ status: 'FAILED', error: { code: 'run_stopped' } })
      expect(statuses).toMatchObject({ fail: 'FAILED', look: 'SUCCESS', wait: 'CANCELLED' })
    })

    it('a condition that can’t be evaluated fails the step', async () => {
      const { run } = await play({ nodes: { look: transform('1', { stopAfterIf: '$error("no idea")' }) } })
      expect(run).toMatchObject({ status: 'FAILED', error: { message: expect.stringContaining('no idea') } })
    })

    it('also by a result that it took over', async () => {
      const here = await scene()
      let count = 0
      here.instead.set('ask-model', { execute: async () => completed({ count: (count += 1) }) })
      const parts = {
        nodes: {
          ask: {
            kind: 'ask-model',
            parameters: { model: 'm' },
            cache: { ttlMs: 60_000 },
            stopAfterIf: 'output.count = 1',
          },
          after: transform('"after"'),
        },
        edges: edgesOf('ask>after'),
      }
      const first = await here.play(parts)
      const second = await here.play(parts)
      expect([count, valueOf(first), valueOf(second)]).toEqual([1, { count: 1 }, { count: 1 }])
      expect(await record(here, second, 'ask')).toMatchObject({
        dispatch: { stopped: { status: 'succeeded' }, reused: { from: `${first.id}/ask` } },
      })
    })
  })

  describe('what is taken out of an output', () => {
    const canary = 'canary-5f2c9e71'

    it('is written nowhere: not in records, events, logs or large values, and those behind get the mark', async () => {
      const here = await scene()
      here.instead.set('ask-model', {
        execute: async (_parameters, { log }) => {
          log({ level: 'info', stream: 'task', text: `the token is ${canary}!` })
          return completed({
            token: canary,
            user: { mail: `${canary}@example.org` },
            text: 'x'.repeat(90_000),
          })
        },
      })
      const run = await here.play({
        nodes: {
          ask: { kind: 'ask-model', parameters: { model: 'm' }, redact: ['token', 'user.*'] },
          read: transform('input.token & " " & input.user.mail & " " & $length(input.text)'),
        },
        edges: edgesOf('ask>read'),
      })
      expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', '[REDACTED] [REDACTED] 90000'])
      const { events, runs } = await readHistory(here.store)
      const attempts = await here.engine.attempts(run.id, null)
      expect(JSON.stringify([events, runs.map(({ invocations }) => invocations), attempts])).not.toContain(
        canary,
      )
      expect(JSON.stringify(attempts)).toContain('the token is [REDACTED]!')
      const given = await record(here, run, 'ask')
      const bytes =
        given?.output?.kind === 'blob' ? await here.store.getBlob(given.output.hash) : new Uint8Array()
      const text = new TextDecoder().decode(bytes)
      expect(text).toContain('"token":"[REDACTED]"')
      expect(text).not.toContain(canary)
    })

    it('is not written with the parameters either, small or large', async () => {
      const here = await scene()
      for (const size of [1, 40_000]) {
        const run = await here.play(
          {
            nodes: {
              make: transform(`{ "token": input.a & input.b, "text": $pad("", ${size}, "x") }`, {
                redact: ['token'],
              }),
            },
          },
          { a: 'canary-', b: '5f2c9e71' },
        )
        expect(run.status).toBe('SUCCEEDED')
        const made = await record(here, run, 'make')
        const read = async (payload: typeof made extends undefined ? never : unknown): Promise<string> => {
          const { kind, json, hash } = payload as { kind: string; json?: string; hash?: never }
          return kind === 'inline'
            ? (json ?? '')
            : new TextDecoder().decode(await here.store.getBlob(hash as never))
        }
        for (const payload of [made?.input, made?.output]) {
          const text = await read(payload)
          expect(text).toContain('[REDACTED]')
          expect(text).not.toContain(canary)
        }
      }
    })

    it('is there while its schema is checked, and gone when its end is asked for', async () => {
      const { run } = await play({
        nodes: {
          ask: transform('{ "token": "long enough", "n": 1 }', {
            redact: ['token'],
            outputSchema: { type: 'object', properties: { token: { type: 'string', maxLength: 11 } } },
            stopAfterIf: 'output.token = "[REDACTED]"',
          }),
          after: transform('1'),
        },
        edges: edgesOf('ask>after'),
      })
      expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', { token: '[REDACTED]', n: 1 }])
      const refused = await play({
        nodes: {
          ask: transform('{ "token": "much too long" }', {
            redact: ['token'],
            outputSchema: { type: 'object', properties: { token: { type: 'string', maxLength: 5 } } },
          }),
        },
      })
      expect(refused.run.error?.code).toBe('task_output_invalid')
    })
  })
})
