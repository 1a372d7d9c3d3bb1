/** Joins that don't wait for all, and errors that a workflow handles, with two runners on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

/** Takes that long, and hands on what it got. */
const work = (sleepMs: number, more: JsonObject = {}): JsonObject => ({
  kind: 'debug',
  parameters: { sleepMs },
  ...more,
})
const failing = (more: JsonObject = {}): JsonObject => ({
  kind: 'debug',
  parameters: { failTimes: 9, failMessage: 'no stock' },
  ...more,
})
const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const delay = (seconds: number): JsonObject => ({
  kind: 'delay',
  parameters: { amount: seconds, unit: 'seconds' },
})
const signal: JsonObject = { kind: 'wait-signal', parameters: { name: 'never' } }

describe.each(Object.entries(sceneStores))('joins and errors on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    await made.launch()
    return made
  }
  const play = async (parts: JsonObject, input: JsonValue = {}) => {
    const here = await scene()
    const { id } = await here.play(parts, input)
    // After a failure the other runner has a head start, and looks only now and then.
    await here.pass(30_000)
    return { here, run: await here.run(id), statuses: await here.statuses(id) }
  }

  it('a join of 2 of 3 goes on with the second, and cancels what is queued, parked and running [C52]', async () => {
    const join = { mode: 'count', count: 2, cancelLosers: true }
    const { here, run, statuses } = await play({
      nodes: {
        fast: work(10),
        next: work(50),
        slow: work(60_000),
        parked: delay(3_600),
        waiting: signal,
        join: { kind: 'noop', join },
        last: transform('$keys(input)'),
      },
      edges: edgesOf('fast>join', 'next>join', 'slow>join', 'parked>join', 'waiting>join', 'join>last'),
    })
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', ['fast', 'next']])
    expect(statuses).toMatchObject({ slow: 'CANCELLED', parked: 'CANCELLED', waiting: 'CANCELLED' })
    expect(here.engines.map((engine) => engine.load().taken)).toEqual([0, 0])
  })

  it('a loser that only began to wait when it was asked to stop doesn’t wait on', async () => {
    const here = await scene()
    // Both are asked in the moment in which their attempts are under way.
    const nodes = {
      now: transform('1'),
      parks: delay(3_600),
      waits: signal,
      join: { kind: 'noop', join: { mode: 'any', cancelLosers: true } },
    }
    for (let count = 0; count < 5; count += 1) {
      const run = await here.play({ nodes, edges: edgesOf('now>join', 'parks>join', 'waits>join') })
      expect(run.status).toBe('SUCCEEDED')
      expect(await here.statuses(run.id)).toMatchObject({ parks: 'CANCELLED', waits: 'CANCELLED' })
    }
  })

  it('a join of any keeps the input that it began with, and the others come to their end [C52]', async () => {
    const { run, statuses } = await play({
      nodes: {
        fast: work(10),
        slow: work(300),
        join: { kind: 'noop', join: { mode: 'any' } },
      },
      edges: edgesOf('fast>join', 'slow>join'),
      settings: { output: 'nodes.join.output' },
    })
    expect(run.status).toBe('SUCCEEDED')
    expect(statuses).toEqual({ fast: 'SUCCESS', slow: 'SUCCESS', join: 'SUCCESS', $output: 'SUCCESS' })
  })

  it('a join that can’t be satisfied any more is an error of its own, which its error port takes', async () => {
    const nodes = {
      pick: { kind: 'if', parameters: { condition: 'false' } },
      a: work(1),
      b: work(1),
      join: { kind: 'noop', join: { mode: 'count', count: 2 } },
      rescue: transform('input.error.code'),
    }
    const edges = edgesOf('pick:true>a', 'pick:false>b', 'a>join', 'b>join')
    const plain = await play({ nodes: { ...nodes, rescue: { kind: 'noop', disabled: true } }, edges })
    expect(plain.run).toMatchObject({ status: 'FAILED', error: { code: 'join_unsatisfied' } })
    const handled = await play({
      nodes,
      edges: edgesOf('pick:true>a', 'pick:false>b', 'a>join', 'b>join', 'join:error>rescue'),
    })
    expect([handled.run.status, valueOf(handled.run)]).toEqual(['SUCCEEDED', 'join_unsatisfied'])
  })

  it('a join that waits only so long goes on over a crash with what came, by its timeout way', async () => {
    const here = await scene()
    const nodes = {
      fast: transform('{ "stock": 3 }'),
      slow: delay(3_600),
      join: {
        kind: 'join',
        parameters: { onTimeout: 'port', amount: 10, unit: 'minutes', late: 'cancel', gather: 'object' },
      },
      all: transform('"all"'),
      some: transform('[$keys(input)]'),
    }
    const edges = edgesOf('fast>join', 'slow>join', 'join>all', 'join:timeout>some')
    const run = await here.start({ nodes, edges })
    await here.pass(1_000)
    expect(await here.statuses(run)).toEqual({ fast: 'SUCCESS', slow: 'WAITING', join: 'WAITING' })
    here.crash()
    await here.launch()
    await here.pass(9 * 60_000)
    expect(await here.statuses(run)).toMatchObject({ slow: 'WAITING', join: 'WAITING' })
    await here.pass(2 * 60_000)
    expect(await here.statuses(run)).toEqual({
      fast: 'SUCCESS',
      slow: 'CANCELLED',
      join: 'SUCCESS',
      some: 'SUCCESS',
    })
    expect(await here.outputOf(run)).toEqual(['fast'])
    const inTime = await here.play({ nodes: { ...nodes, slow: delay(0) }, edges })
    expect([inTime.status, valueOf(inTime)]).toEqual(['SUCCEEDED', 'all'])
  })

  it('a join makes of large values what it makes of small ones, also when its time is over', async () => {
    const here = await scene()
    const large = (field: string): JsonObject =>
      transform(`{ "${field}": $join([1..9000].("x")), "last": "${field}" }`)
    const play = async (parameters: JsonObject, expression: string, more: JsonObject = {}) => {
      const nodes = {
        a: large('a'),
        b: delay(1),
        b2: large('b'),
        join: { kind: 'join', parameters },
        sizes: transform(expression),
        ...more,
      }
      const id = await here.start({ nodes, edges: edgesOf('b>b2', 'a>join', 'b2>join', 'join>sizes') })
      await here.pass(30_000)
      return here.run(id)
    }
    const sizes = '{ "fields": $keys(input), "a": $length(input.a), "last": input.last }'
    expect(valueOf(await play({ gather: 'deep' }, sizes))).toEqual({
      fields: ['a', 'last', 'b'],
      a: 9_000,
      last: 'b',
    })
    expect(valueOf(await play({ gather: 'arrivals' }, 'input.last'))).toEqual(['a', 'b'])
    const late = { onTimeout: 'port', amount: 200, unit: 'milliseconds', gather: 'list', late: 'cancel' }
    const nodes = {
      a: large('a'),
      a2: large('c'),
      b: delay(60),
      join: { kind: 'join', parameters: late },
      some: transform('$count(input)'),
      all: transform('"all"'),
    }
    const edges = edgesOf('a>join', 'a2>join', 'b>join', 'join:timeout>some', 'join>all')
    const id = await here.start({ nodes, edges })
    await here.pass(10_000)
    expect(await here.run(id)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await here.outputOf(id)).toBe(2)
  })

  it('skipped branches resolve a join, and a skipped join skips what follows it', async () => {
    const { run, statuses } = await play({
      nodes: {
        pick: { kind: 'if', parameters: { condition: 'true' } },
        a: work(1),
        b: work(1),
        all: { kind: 'join' },
        c: work(1),
        d: work(1),
        none: { kind: 'join' },
        after: work(1),
      },
      edges: edgesOf(
        'pick:true>a',
        'pick:false>b',
        'a>all',
        'b>all',
        'pick:false>c',
        'pick:false>d',
        'c>none',
        'd>none',
        'none>after',
      ),
    })
    expect(run.status).toBe('SUCCEEDED')
    expect(statuses).toEqual({ pick: 'SUCCESS', a: 'SUCCESS', all: 'SUCCESS' })
  })

  it('an error port takes the last failure, after the retries', async () => {
    const retry = { maxAttempts: 3, delayMs: 10, jitter: 0 }
    const { here, run } = await play(
      {
        nodes: { fails: failing({ retry }), rescue: transform('[input.error.message, run.input.order]') },
        edges: edgesOf('fails:error>rescue'),
      },
      { order: 7 },
    )
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', ['no stock', 7]])
    const attempts = await here.engine.attempts(run.id, null)
    expect(attempts.filter(({ outcome }) => outcome === 'failed')).toHaveLength(3)
  })

  it('a timeout is an error too: of an attempt, of a node in all, of a signal', async () => {
    const late = work(60_000, { timeout: { attemptMs: 50 } })
    const never = {
      ...signal,
      parameters: { name: 'never', onTimeout: 'fail', amount: 100, unit: 'milliseconds' },
    }
    const total = { ...signal, timeout: { totalMs: 200 } }
    for (const [node, code, status] of [
      [late, 'task_timeout', 'TIMEOUT'],
      [never, 'signal_timeout', 'TIMEOUT'],
      [total, 'task_timeout', 'TIMEOUT'],
    ] as const) {
      const handled = await play({
        nodes: { node, rescue: transform('input.error.code') },
        edges: edgesOf('node:error>rescue'),
      })
      expect([handled.run.status, valueOf(handled.run), handled.statuses['node']]).toEqual([
        'SUCCEEDED',
        code,
        status,
      ])
      const plain = await play({ nodes: { node } })
      expect(['FAILED', 'TIMED_OUT']).toContain(plain.run.status)
      expect(plain.run.error?.code).toBe(code)
      const goesOn = await play({
        nodes: {
          node: { ...node, onError: 'continue', fallbackOutput: 'instead' },
          after: transform('input'),
        },
        edges: edgesOf('node>after'),
      })
      expect([goesOn.run.status, valueOf(goesOn.run)]).toEqual(['SUCCEEDED', 'instead'])
    }
  })

  it('branches whose error ways lead to the join are collected: what each gave, or why it failed', async () => {
    const { run, statuses } = await play({
      nodes: {
        fork: { kind: 'fork', parameters: { branches: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] } },
        good: work(10),
        bad: failing(),
        late: work(500),
        join: { kind: 'join', parameters: { gather: 'list' } },
      },
      edges: edgesOf(
        ...['fork:branch-1>good', 'fork:branch-2>bad', 'fork:branch-3>late'],
        ...['good>join', 'bad>join', 'bad:error>join', 'late>join'],
      ),
    })
    expect(run.status).toBe('SUCCEEDED')
    expect(valueOf(run)).toMatchObject([{}, { error: { message: 'no stock' } }, {}])
    expect(statuses).toMatchObject({ good: 'SUCCESS', bad: 'FAILED', late: 'SUCCESS' })
  })

  it('an unhandled failure stops the other branches, or lets them finish', async () => {
    const nodes = { fails: failing(), slow: work(200), parked: delay(3_600), after: work(1) }
    const edges = edgesOf('slow>after')
    const stopped = await play({ nodes, edges })
    expect(stopped.run).toMatchObject({ status: 'FAILED', error: { code: 'debug_failure' } })
    expect(stopped.statuses).toEqual({ fails: 'FAILED', slow: 'CANCELLED', parked: 'CANCELLED' })
    const { parked: _left, ...others } = nodes
    const finished = await play({ nodes: others, edges, settings: { onFailure: 'finish' } })
    expect(finished.run.status).toBe('FAILED')
    expect(finished.statuses).toEqual({ fails: 'FAILED', slow: 'SUCCESS', after: 'SUCCESS' })
  })

  it('inside of a map an error handler saves the item, and losers of an item stay its own', async () => {
    const { run } = await play(
      {
        nodes: {
          each: { kind: 'map', parameters: { limit: 2 } },
          fails: failing({ parent: 'each' }),
          rescue: { ...transform('"saved " & $string(item)'), parent: 'each' },
          slow: work(60_000, { parent: 'each' }),
          join: { kind: 'noop', parent: 'each', join: { mode: 'any', cancelLosers: true } },
          value: { ...transform('input'), parent: 'each' },
        },
        edges: edgesOf('fails:error>rescue', 'rescue>join', 'slow>join', 'join>value'),
      },
      [1, 2, 3],
    )
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', ['saved 1', 'saved 2', 'saved 3']])
  })
})
