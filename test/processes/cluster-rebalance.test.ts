/** Partitions are spread anew when a master joins: by the commands that are printed, and by the one that does it all. */

import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { commandLine } from '../support/program.ts'
import { startRedisCluster, until } from '../support/redis-servers.ts'
import { add, chain, startRunner } from './runner-processes.ts'

const cli = await commandLine()

type Line = JsonObject & { readonly type: string }

function said(...args: readonly string[]): readonly Line[] {
  const { stdout } = spawnSync(process.execPath, [cli, ...args, '--json'], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

interface Plan {
  readonly before: { readonly byMaster: Readonly<Record<string, number>>; readonly ratio: number }
  readonly after: Plan['before']
  readonly moves: readonly {
    readonly slot: number
    readonly isBegun: boolean
    readonly commands: readonly string[]
  }[]
}

test('a master that joins gets its share: what the plan prints is what moves a slot, and --apply does the rest', async () => {
  const cluster = await startRedisCluster()
  onTestFinished(cluster.stop)
  const address = `redis://${cluster.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
  const data = temporaryFolder()
  await startRunner(address, [], { SAGASMITH_DATA: temporaryFolder() })
  const file = join(data, 'one.json')
  writeFileSync(file, JSON.stringify(chain({ add: add() })))
  const run = () => said('run', file, '--input', '1', '--store', address, '--data', data).at(-1)
  const spread = () =>
    said('doctor', '--cluster', address, '--data', data).find((line) => line['check'] === 'spread')
  // The answer has this form; the test below looks at all of it.
  const planned = () => said('clusters', 'rebalance', address, '--data', data)[0] as unknown as Plan
  for (let times = 0; times < 3; times += 1) expect(run()).toMatchObject({ status: 'SUCCEEDED' })
  expect(spread()).toMatchObject({ verdict: 'ok' })

  const { master } = await cluster.grow()
  await until('all know of it', async () => Object.keys(planned().before.byMaster).length === 4)
  expect(spread()).toMatchObject({
    verdict: 'warn',
    message: expect.stringMatching(/ 0 on 4 masters/) as string,
    hint: expect.stringContaining('clusters rebalance') as string,
  })
  const plan = planned()
  expect(Object.values(plan.after.byMaster)).toEqual([16, 16, 16, 16])
  expect(plan.moves).toHaveLength(16)

  const [first, second] = plan.moves
  await until('it serves', async () =>
    String(await master.admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
  )
  for (const command of first?.commands ?? []) execFileSync('sh', ['-ec', command])
  // Whoever types the second is called away after two of its commands.
  for (const command of second?.commands.slice(0, 2) ?? []) execFileSync('sh', ['-ec', command])
  await until('the newcomer has the first', async () => planned().before.byMaster[addressOf(master)] === 1)
  expect(planned().moves.map(({ slot, isBegun }) => [slot, isBegun])).toEqual([
    [second?.slot, true],
    ...plan.moves.slice(2).map(({ slot }) => [slot, false]),
  ])

  const lines = said('clusters', 'rebalance', address, '--apply', '--data', data)
  expect(lines.filter(({ type }) => type === 'rebalance.moved')).toHaveLength(15)
  expect(lines.at(-1)).toMatchObject({ type: 'rebalance.done', ratio: 1 })
  expect(spread()).toMatchObject({ verdict: 'ok' })
  expect(said('runs', 'list', '--cluster', address, '--data', data)).toHaveLength(3)
  expect(run()).toMatchObject({ status: 'SUCCEEDED' })
})

const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}:${port}`
