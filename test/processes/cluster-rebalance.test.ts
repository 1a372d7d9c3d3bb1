/** Partitions are spread anew when a master joins: by the commands that are printed, and by the one that does it all. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedisCluster, until } from '../support/redis-servers.ts'
import { add, chain, startRunner } from './runner-processes.ts'
import { sagasmith } from './sagasmith.ts'

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
  const said = async (...args: readonly string[]) => (await sagasmith(data, ...args)).lines
  const run = async () => (await said('run', file, '--input', '1', '--store', address)).at(-1)
  const spread = async () =>
    (await said('doctor', '--cluster', address)).find((line) => line['check'] === 'spread')
  // The answer has this form; the test below looks at all of it.
  const planned = async () => (await said('clusters', 'rebalance', address))[0] as unknown as Plan
  for (let times = 0; times < 3; times += 1) expect(await run()).toMatchObject({ status: 'SUCCEEDED' })
  expect(await spread()).toMatchObject({ verdict: 'ok' })

  const { master } = await cluster.grow()
  // Its replica is a master without slots for a moment, until it knows whom it follows.
  const masters = async () => Object.keys((await planned()).before.byMaster).length
  const told = async () => JSON.stringify((await spread())?.['message'])
  await until('all know of it', async () => / 0 on 4 masters/.test(await told()) && (await masters()) === 4)
  expect(await spread()).toMatchObject({
    verdict: 'warn',
    hint: expect.stringContaining('clusters rebalance') as string,
  })
  const plan = await planned()
  expect(Object.values(plan.after.byMaster)).toEqual([16, 16, 16, 16])
  expect(plan.moves).toHaveLength(16)

  const [first, second] = plan.moves
  await until('it serves', async () =>
    String(await master.admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
  )
  for (const command of first?.commands ?? []) execFileSync('sh', ['-ec', command])
  // Whoever types the second is called away after two of its commands.
  for (const command of second?.commands.slice(0, 2) ?? []) execFileSync('sh', ['-ec', command])
  await until(
    'the newcomer has the first',
    async () => (await planned()).before.byMaster[addressOf(master)] === 1,
  )
  expect((await planned()).moves.map(({ slot, isBegun }) => [slot, isBegun])).toEqual([
    [second?.slot, true],
    ...plan.moves.slice(2).map(({ slot }) => [slot, false]),
  ])

  const lines = await said('clusters', 'rebalance', address, '--apply')
  expect(lines.filter(({ type }) => type === 'rebalance.moved')).toHaveLength(15)
  expect(lines.at(-1)).toMatchObject({ type: 'rebalance.done', ratio: 1 })
  expect(await spread()).toMatchObject({ verdict: 'ok' })
  expect(await said('runs', 'list', '--cluster', address)).toHaveLength(3)
  expect(await run()).toMatchObject({ status: 'SUCCEEDED' })
})

const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}:${port}`
