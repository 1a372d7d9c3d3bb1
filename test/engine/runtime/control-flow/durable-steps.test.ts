/** What runs hand on, step by step, and what of it outlives the process: on every store. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

/** What a delay of one takes. */
const spanMs = 120_000

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const delay = (spans = 1): JsonObject => ({
  kind: 'delay',
  parameters: { amount: 2 * spans, unit: 'minutes' },
})
const failing = (failTimes: number, more: JsonObject = {}): JsonObject => ({
  kind: 'debug',
  parameters: { failTimes, failMessage: 'The oven is cold.' },
  ...more,
})

describe.each(Object.entries(sceneStores))('steps on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }

  it('runs of one, two and three steps give what the last one gave [S1]', async () => {
    const here = await scene()
    const nodes = { a: transform('input + 1'), b: transform('input * 10'), c: transform('{ "sum": input }') }
    const { a, b } = nodes
    expect(valueOf(await here.play({ nodes: { a } }, 1))).toBe(2)
    expect(valueOf(await here.play({ nodes: { a, b }, edges: edgesOf('a>b') }, 1))).toBe(20)
    expect(valueOf(await here.play({ nodes, edges: edgesOf('a>b', 'b>c') }, 1))).toEqual({ sum: 20 })
  })

  it('a failed step fails its run with its own message, and nothing after it runs [S2] [S56]', async () => {
    const here = await scene()
    const nodes = { a: transform('input'), b: failing(9), c: transform('input') }
    const run = await here.play({ nodes, edges: edgesOf('a>b', 'b>c') }, 1)
    expect(run).toMatchObject({ status: 'FAILED', error: { message: 'The oven is cold.' } })
    expect(await here.statuses(run.id)).toEqual({ a: 'SUCCESS', b: 'FAILED' })
    here.crash()
    await here.launch()
    await here.pass(spanMs)
    expect(await here.run(run.id)).toEqual(run)
  })

  it('what has ended is left as it is by every later start of the engine [S3]', async () => {
    const here = await scene()
    const run = await here.play({ nodes: { a: transform('input') } }, 'kept')
    const done = await here.executions(run.id)
    here.crash()
    await here.launch()
    await here.pass(spanMs)
    const again = await here.within(here.engine.waitForRun(run.id))
    expect(again).toEqual(run)
    expect(valueOf(again)).toBe('kept')
    expect(await here.executions(run.id)).toEqual(done)
  })

  it('results of steps can be read while the run goes on, after its end, and after its failure [S41]', async () => {
    const here = await scene()
    const nodes = { a: transform('input * 2'), wait: delay(), b: failing(9) }
    const run = await here.start({ nodes, edges: edgesOf('a>wait', 'wait>b') }, 21)
    await here.pass(1_000)
    const resultOf = async (node: string) => {
      const { invocations } = await here.engine.snapshot(run)
      const record = invocations.find(({ nodeId }) => nodeId === node)
      return record === undefined ? 'never invoked' : record.output
    }
    const result = { kind: 'inline', json: '42' }
    expect(await resultOf('a')).toEqual(result)
    expect(await resultOf('b')).toBe('never invoked')
    await here.pass(spanMs)
    expect((await here.run(run)).status).toBe('FAILED')
    expect(await resultOf('a')).toEqual(result)
    expect(await resultOf('b')).toBeNull()
    await expect(here.engine.snapshot('run_unknown' as typeof run)).rejects.toMatchObject({
      code: 'run_not_found',
    })
  })

  it('stages of four branches each lose no result [S24]', async () => {
    const here = await scene()
    const nodes: Record<string, JsonObject> = {}
    const edges: string[] = []
    for (let stage = 0; stage < 5; stage += 1) {
      for (let branch = 0; branch < 4; branch += 1) {
        const id = `s${stage}b${branch}`
        nodes[id] = transform(stage === 0 ? `input + ${branch}` : `$sum($each(input, function($v) { $v }))`)
        edges.push(`${id}>j${stage}`)
        if (stage > 0) edges.push(`j${stage - 1}>${id}`)
      }
      nodes[`j${stage}`] = { kind: 'join' }
    }
    const run = await here.play({ nodes, edges: edgesOf(...edges) }, 1)
    // 1+2+3+4 in the first stage, then four times the sum of what was before.
    expect(valueOf(run)).toEqual({ s4b0: 640, s4b1: 640, s4b2: 640, s4b3: 640 })
  })

  it('a join sees its branches by name and of any type [S25]', async () => {
    const here = await scene()
    const values: Record<string, JsonValue> = { a: 1, b: 'two', c: [3], d: { four: null }, e: null, f: false }
    const nodes = Object.fromEntries(
      Object.entries(values).map(([id, value]) => [id, transform(JSON.stringify(value))]),
    )
    const edges = edgesOf(...Object.keys(values).map((id) => `${id}>join`))
    expect(valueOf(await here.play({ nodes: { ...nodes, join: { kind: 'join' } }, edges }))).toEqual(values)
    const fork = { kind: 'fork', parameters: { branches: [] } }
    await expect(here.play({ nodes: { fork } })).rejects.toMatchObject({ code: 'document_invalid' })
  })

  it('a switch takes its case or the default, fails without a match, and the run goes on behind it [S26] [T3] [C54]', async () => {
    const here = await scene()
    const cases = [{ title: 'big', when: 'input > 10' }]
    const play = (input: number, fallback: boolean) =>
      here.play(
        {
          nodes: {
            way: { kind: 'switch', parameters: { cases, hasDefault: fallback } },
            big: transform('"big"'),
            other: transform('"other"'),
            join: { kind: 'join', join: { mode: 'any' } },
          },
          edges: edgesOf(
            'way:case-1>big',
            ...(fallback ? ['way:default>other'] : []),
            'big>join',
            'other>join',
          ),
        },
        input,
      )
    expect(valueOf(await play(11, true))).toBe('big')
    expect(valueOf(await play(1, true))).toBe('other')
    expect(await play(1, false)).toMatchObject({ status: 'FAILED', error: { code: 'no_case_matched' } })
    const orphan = { nodes: { way: { kind: 'switch', parameters: { cases } }, big: transform('1') } }
    await expect(here.play({ ...orphan, edges: edgesOf('way:case-7>big') })).rejects.toMatchObject({
      code: 'document_invalid',
    })
  })

  it('retries: a success after so many failures, an end after too many, none without need [S32] [T16]', async () => {
    const here = await scene()
    const play = async (failTimes: number, retry: JsonObject | null) => {
      const node = failing(failTimes, retry === null ? {} : { retry })
      const run = await here.start({ nodes: { a: node } }, 1)
      await here.pass(60_000)
      const tries = (await here.executions(run)).length
      return { status: (await here.run(run)).status, tries }
    }
    const twice = { maxAttempts: 3, delayMs: 1_000, jitter: 0 }
    expect(await play(0, twice)).toEqual({ status: 'SUCCEEDED', tries: 1 })
    expect(await play(2, twice)).toEqual({ status: 'SUCCEEDED', tries: 3 })
    expect(await play(3, twice)).toEqual({ status: 'FAILED', tries: 3 })
    expect(await play(1, null)).toEqual({ status: 'FAILED', tries: 1 })
    expect(await play(1, { maxAttempts: 1 })).toEqual({ status: 'FAILED', tries: 1 })
  })

  it('a backoff outlives the process that planned it, and is forgotten with the success [S32]', async () => {
    const here = await scene()
    const retry = { maxAttempts: 2, delayMs: spanMs, maxDelayMs: spanMs, jitter: 0 }
    const run = await here.start({ nodes: { a: failing(1, { retry }) } }, 1)
    await here.pass(1_000)
    const [waiting] = (await here.engine.snapshot(run)).invocations
    expect(waiting).toMatchObject({ status: 'RETRY', failureCount: 1, waitReason: { code: 'backoff' } })
    here.crash()
    await here.launch()
    await here.pass(spanMs / 2)
    expect(await here.statuses(run)).toEqual({ a: 'RETRY' })
    await here.pass(spanMs)
    const [done] = (await here.engine.snapshot(run)).invocations
    expect(done).toMatchObject({ status: 'SUCCESS', notBefore: null, waitReason: null, error: null })
  })

  it('a step that takes too long fails its run, one that ends in time does not, none is set none applies [S33]', async () => {
    const here = await scene()
    const play = async (sleepMs: number, timeout: JsonObject | null) => {
      const node = { kind: 'debug', parameters: { sleepMs }, ...(timeout === null ? {} : { timeout }) }
      const run = await here.start({ nodes: { a: node } }, 1)
      await here.pass(sleepMs + 1_000)
      return (await here.run(run)).status
    }
    expect(await play(5_000, { attemptMs: 1_000 })).toBe('TIMED_OUT')
    expect(await play(500, { attemptMs: 1_000 })).toBe('SUCCEEDED')
    expect(await play(spanMs / 2, null)).toBe('SUCCEEDED')
  })

  it('a deadline that passed while all was down fails the step, and it is not run again [T7]', async () => {
    const here = await scene()
    const node = { kind: 'debug', parameters: { sleepMs: 600_000 }, timeout: { attemptMs: 700_000 } }
    const run = await here.start({ nodes: { a: node } }, 1)
    await here.pass(1_000)
    here.crash()
    await here.pass(10 * spanMs)
    await here.launch()
    await here.pass(10_000)
    expect(await here.statuses(run)).toEqual({ a: 'TIMEOUT' })
    expect((await here.run(run)).status).toBe('TIMED_OUT')
    expect(await here.executions(run)).toHaveLength(1)
  })

  it('what cannot be started is refused with all that is wrong, and nothing is stored [C33] [S57] [S58]', async () => {
    const here = await scene()
    const unknown = { a: { kind: 'teleport' }, b: { kind: 'levitate' } }
    const refused = await here.play({ nodes: unknown }).catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({ code: 'document_invalid', details: { count: 2 } })
    expect(JSON.stringify(refused)).toMatch(/teleport.*levitate/)
    const input = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } }
    const strict = { nodes: { a: transform('input') }, input }
    await expect(here.play(strict, { n: 'one' })).rejects.toMatchObject({ code: 'input_invalid' })
    await expect(here.play(strict, {})).rejects.toMatchObject({ code: 'input_invalid' })
    const filter = { statuses: null, workflowId: null, includeCore: true }
    expect(await here.store.list(0, 'runs', { filter, page: { after: null, limit: 9 } })).toEqual([])
    expect(
      await here.store.list(0, 'workflowVersions', {
        filter: { workflowId: null },
        page: { after: null, limit: 9 },
      }),
    ).toEqual([])
  })

  it.each(['attempt.before-commit', 'attempt.after-commit'] as const)(
    'a map that is killed at %s has one result of each item, in its place [G26] [C51]',
    async (name) => {
      for (const nth of [1, 2, 3, 4]) {
        const here = new FlowScene(await open())
        scenes.push(here)
        await here.launch({ name, nth })
        const nodes = {
          each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
          step: { ...transform('item * 10'), parent: 'each' },
        }
        const document = documentOf({ nodes })
        const request = { document, input: [1, 2, 3, 4], requestId: 'once', baseDirectory: null }
        await Promise.race([here.engine.startRun(request), here.pass(1_000)])
        await here.pass(1_000)
        await here.launch()
        const { runId } = await here.within(here.engine.startRun(request))
        await here.pass(1_000)
        expect(await here.outputOf(runId)).toEqual([10, 20, 30, 40])
        const attempts = await here.engine.attempts(runId, null)
        const results = attempts.filter(({ outcome }) => outcome === 'succeeded')
        expect(results).toHaveLength(4)
        expect(new Set(results.map(({ invocationId }) => invocationId)).size).toBe(4)
      }
    },
  )

  it('a large result is stored once by its content, a small one with its step [P51]', async () => {
    const here = await scene()
    const big = transform('$join([1..20000].$string($), ",")')
    const nodes = {
      a: big,
      b: big,
      small: transform('"few"'),
      last: transform('nodes.a.output = nodes.b.output'),
    }
    const run = await here.play({ nodes, edges: edgesOf('a>last', 'b>last', 'small>last') })
    expect(valueOf(run)).toBe(true)
    const { invocations } = await here.engine.snapshot(run.id)
    const output = (id: string) => invocations.find(({ nodeId }) => nodeId === id)?.output
    expect(output('small')).toEqual({ kind: 'inline', json: '"few"' })
    expect(output('a')).toMatchObject({ kind: 'blob', bytes: expect.any(Number) })
    expect(output('b')).toEqual(output('a'))
  })

  it('bytes survive between steps, small and large, also nested [S54]', async () => {
    const here = await scene()
    const folder = mkdtempSync(join(tmpdir(), 'sagasmith-bytes-'))
    try {
      for (const [name, length] of [
        ['small', 256],
        ['large', 100_000],
      ] as const) {
        const bytes = Uint8Array.from({ length }, (_, index) => index % 256)
        const [from, to] = [join(folder, name), join(folder, `${name}-copy`)]
        writeFileSync(from, bytes)
        const nodes = {
          read: { kind: 'read-file', parameters: { path: from, format: 'base64' } },
          nest: transform('{ "list": [{ "deep": input.content }] }'),
          write: {
            kind: 'write-file',
            parameters: { path: to, format: 'base64', content: '{{ input.list[0].deep }}' },
          },
        }
        const run = await here.start({ nodes, edges: edgesOf('read>nest', 'nest>write') })
        // Files are read and written in real time.
        const ended = async (): Promise<void> => {
          await here.pass(10)
          expect((await here.run(run)).status).toBe('SUCCEEDED')
        }
        await vi.waitFor(ended, { timeout: 120_000, interval: 5 })
        expect(readFileSync(to).equals(bytes)).toBe(true)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('an output that breaks the schema of its step fails it, with the place, and goes nowhere [C64] [S55]', async () => {
    const here = await scene()
    const outputSchema = {
      type: 'object',
      required: ['total'],
      properties: { total: { type: 'number', minimum: 0 } },
    }
    const play = (expression: string, more: JsonObject = {}) =>
      here.play({
        nodes: { a: { ...transform(expression), outputSchema, ...more }, b: transform('input') },
        edges: edgesOf('a>b'),
      })
    expect(valueOf(await play('{ "total": 3 }'))).toEqual({ total: 3 })
    for (const wrong of ['{ "total": "3" }', '{ "total": -1 }', '{}', '7', 'input.nowhere']) {
      const run = await play(wrong)
      expect(run).toMatchObject({ status: 'FAILED', output: null, error: { code: 'task_output_invalid' } })
      expect(await here.statuses(run.id)).toEqual({ a: 'FAILED' })
    }
    const missing = await play('{}')
    expect(missing.error?.message).toContain('total')
  })

  it('a value that breaks the schema of its step fails it, and says which field and why [S55] [C64]', async () => {
    const here = await scene()
    const wait = { kind: 'delay', parameters: { amount: '{{ input.n }}', unit: 'minutes' } }
    const run = await here.play({ nodes: { wait } }, { n: 'many' })
    expect(run).toMatchObject({ status: 'FAILED', error: { code: 'task_input_invalid' } })
    expect(run.error?.message).toMatch(/Amount|amount/)
    expect(await here.statuses(run.id)).toEqual({ wait: 'FAILED' })
    const missing = await here.play({ nodes: { wait } }, {})
    expect(missing).toMatchObject({ status: 'FAILED' })
  })

  it('two workflows on one runner do not mix [S60]', async () => {
    const here = await scene()
    const parts = (word: string): JsonObject => ({
      id: word,
      nodes: { a: transform(`"${word}"`), wait: delay(), b: transform(`nodes.a.output & input & "${word}"`) },
      edges: edgesOf('a>wait', 'wait>b'),
    })
    const runs = [await here.start(parts('x')), await here.start(parts('y')), await here.start(parts('x'))]
    await here.pass(spanMs + 60_000)
    const outputs = []
    for (const run of runs) outputs.push(await here.outputOf(run))
    expect(outputs).toEqual(['xxx', 'yyy', 'xxx'])
  })
})
