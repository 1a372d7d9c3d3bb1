/**
 * Networks that break between one runner and the servers, in namespaces of their own; `partitions-run.ts` is the
 * long form. Where the kernel lets nobody have namespaces, and only there, the test says so and proves just that.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../support/redis-servers.ts'
import { nesting, spawnInNest } from './nest.ts'
import { partitionsInNest } from './partitions-in-nest.ts'
import { noteCampaign } from './tell.ts'

/** What kernels say that let nobody have them; anything else is a mistake of the test, or of the machine. */
const refusals =
  /not permitted|permission denied|not supported|unknown device type|no space left|has no network/i

/** Null, and a proof that it can't be done, where it can't. */
function namespaces(): readonly string[] | null {
  const nest = nesting()
  if (nest.kind === 'possible') return nest.flags
  console.warn(
    `NOT PROVEN HERE: partitions of the network. This machine lets nobody have namespaces: ${nest.why}`,
  )
  expect(nest.why).toMatch(refusals)
  return null
}

const kinds = [
  'nothing goes through',
  'nothing reaches the runner',
  'nothing leaves the runner',
  'one master is out of its reach',
  'the way comes and goes',
]

test('a runner that is cut off, one way or both, costs nothing and comes back', async () => {
  const flags = namespaces()
  if (flags === null) return
  const plan = { partitions: kinds.length, runners: 3, seed: 'short', variesLengths: false }
  const began = performance.now()
  const result = await partitionsInNest(flags, plan, (line) => console.log(line))
  noteCampaign('redis network partitions, short', result, performance.now() - began)
  const { problems, faults, runs, byEnd, deadlines, backMs } = result
  console.log(
    `back at work after ${backMs} ms at most;`,
    ...deadlines.map((figures) => JSON.stringify(figures)),
  )
  expect(problems).toEqual([])
  expect(byEnd).toEqual({ SUCCEEDED: runs })
  expect(new Set(faults.map(({ fault }) => fault))).toEqual(new Set(kinds))
  expect(
    deadlines.some(({ givenUp }) => givenUp > 0),
    'somebody was cut off',
  ).toBe(true)
})

/** Those that a process started, as its own namespace of processes doesn't tell. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** One that nobody has asked for its end yet is still listed, as a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('of a nest nothing is left, however it ends', async () => {
  const flags = namespaces()
  if (flags === null) return
  for (const end of ['killed', 'left alone'] as const) {
    const nest = spawnInNest(flags, join(import.meta.dirname, 'nest-child.ts'), [])
    onTestFinished(() => void nest.kill('SIGKILL'))
    let isBuilt = false
    nest.stdout?.on('data', () => {
      isBuilt = true
    })
    await until('the nest is built', async () => isBuilt)
    const [first = 0] = childrenOf(nest.pid ?? 0)
    const all = [first, ...childrenOf(first)]
    expect(all.length, 'the first process and the keepers of its namespaces').toBe(4)
    if (end === 'killed') nest.kill('SIGKILL')
    else nest.stdin?.end()
    await until('all of them are gone', async () => !all.some(isAlive))
  }
})
