/** A Redis Cluster seen from the designer: named, tested, looked at, run on, and never changed by mistake. */

import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { slotOf } from '../../../src-engine/store/redis/slots.ts'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import type { TestCluster } from './clusters.ts'
import { addCluster, fillCluster, openListed, openTab, pushAndRun, remoteWorkflow, test } from './clusters.ts'
import { putWorkflow } from './serving.ts'

/** Twelve items, each done once somebody says so by a file: as many as the slots of four runners with three each. */
const waitingForWord = (folder: string) => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_shared',
  title: 'Share the work',
  nodes: {
    each: { kind: 'map', title: 'Each', parameters: { items: '[1..12]', limit: 12 } },
    work: {
      kind: 'shell-command',
      title: 'Work',
      parent: 'each',
      // What a runner was at when it died may be done again without asking anybody.
      sideEffect: 'idempotent',
      // Whatever becomes of its runner, it ends with the test's folder.
      parameters: {
        useShell: true,
        commandLine: `while [ -d "${folder}" ] && [ ! -f "${folder}/go" ]; do sleep 0.5; done`,
      },
    },
  },
  edges: {},
  layout: { nodes: { each: { x: 0, y: 0, width: 400, height: 220 }, work: { x: 40, y: 60 } } },
})

const bars = (page: Page, runner: string, outcome: string) =>
  page.getByTestId(`lanes-of-${runner}`).locator(`[data-testid="lane-bar"][data-outcome="${outcome}"]`)

/** The ids of the runners by their processes. */
async function runnerIds(page: Page, processes: readonly ChildProcess[]): Promise<readonly string[]> {
  const rows = page.getByTestId('runners-table').locator('tbody tr')
  await expect(rows).toHaveCount(processes.length)
  return Promise.all(
    processes.map(async ({ pid }) => {
      const row = rows.filter({ hasText: new RegExp(`· ${pid}(?!\\d)`) })
      return (await row.locator('code').first().textContent()) ?? ''
    }),
  )
}

async function connect(page: Page, { address }: TestCluster): Promise<void> {
  await openTab(page, 'Clusters')
  await expect(page.getByTestId('engine-page')).toContainText('No cluster yet')
  await fillCluster(page, { name: 'plant', address, colour: 'amber', isWritable: true })
  await page.getByTestId('cluster-test').click()
  await expect(page.getByTestId('cluster-check')).toContainText('No runner works there now.')
  await expect(page.getByTestId('cluster-check')).toContainText('Safe: a write counts once a replica has it.')
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
  await expect(page.getByTestId('cluster-band')).toHaveAttribute('data-colour', 'amber')
}

interface Shared {
  readonly page: Page
  readonly cluster: TestCluster
  readonly dataDirectory: string
}

/** Gives the runners. */
async function shareWork({ page, cluster, dataDirectory }: Shared): Promise<readonly ChildProcess[]> {
  const shared = waitingForWord(dataDirectory)
  const runners = await Promise.all(
    Array.from({ length: 4 }, () => cluster.startRunner({ args: ['--concurrency', '3'] })),
  )
  await openTab(page, 'Runners')
  const ids = await runnerIds(page, runners)
  await openListed(page, shared.title, 'each')
  await pushAndRun(page)

  // As many items as slots, and none ends: each runner has three of them.
  await expect(page.getByTestId('deck-each').locator('[data-mark="a"]')).toContainText('12')
  await openTab(page, 'Runners')
  for (const id of ids) await expect(bars(page, id, 'at-work')).toHaveCount(3)
  const [dead = ''] = ids
  runners[0]?.kill('SIGKILL')
  await expect(bars(page, dead, 'lost')).toHaveCount(3)
  await expect(page.getByTestId('runners-table').locator('tr', { hasText: dead })).toHaveAttribute(
    'data-state',
    'Lost',
  )

  // The others have room for what was lost once theirs is done.
  await writeFile(join(dataDirectory, 'go'), '')
  await expect(page.getByTestId('take-overs').locator('line')).toHaveCount(3)
  const over = page.locator(`[data-testid="lane-bar"][title*="took over from ${dead}"]`)
  await expect(over).toHaveCount(3)
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'work').getByTestId('turns')).toHaveText('12 of 12')

  // The version is there by now: nothing is to be pushed.
  const before = (await runState(page).getAttribute('data-run-id')) ?? ''
  await page.getByTestId('run-button').click()
  await expect(runState(page)).not.toHaveAttribute('data-run-id', before)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  // What was done there is not on this computer.
  await page.getByTestId('cluster-leave').click()
  await expect(page.getByTestId('cluster-band')).toHaveCount(0)
  // The page begins anew, with the workflow that was open.
  await expect(card(page, 'each')).toBeVisible()
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table').locator('tbody tr')).toHaveCount(1)
  return runners
}

async function doesNotAnswer(page: Page): Promise<void> {
  const gone = { name: 'gone', address: 'redis://127.0.0.1:1' }
  await fillCluster(page, gone)
  await page.getByTestId('cluster-test').click()
  await expect(page.getByTestId('cluster-check')).toContainText('could not be reached (127.0.0.1:1')
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-open-gone').click()
  await expect(page.getByTestId('cluster-band')).toContainText('doesn’t answer')
  await page.getByTestId('cluster-leave').click()
  await expect(page.getByTestId('cluster-band')).toHaveCount(0)
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table')).toBeVisible()
}

async function isPartlyAway(page: Page, { servers }: TestCluster): Promise<void> {
  await page.getByRole('tab', { name: 'Clusters' }).click()
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
  // Masters share the slots evenly, in their order, and each has its replica three places behind.
  const home = Math.floor((slotOf('{p0}') * 3) / 16_384)
  const lost = (home + 1) % 3
  const pair = [servers[lost], servers[lost + 3]]
  for (const one of pair) one?.process.kill('SIGSTOP')
  await expect(page.getByTestId('partitions-away')).toContainText('of 64 partitions don’t answer since')
  await expect(page.getByTestId('partitions-away')).toContainText('what they hold is missing here.')
  expect(await barriers(page)).toEqual([])
  for (const one of pair) one?.process.kill('SIGCONT')
  await expect(page.getByTestId('partitions-away')).toHaveCount(0)
  await page.getByTestId('cluster-leave').click()
  await expect(page.getByTestId('cluster-band')).toHaveCount(0)
}

async function isOnlyLookedAt(page: Page, { address }: TestCluster): Promise<void> {
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'fast', address: `${address}?durability=fast` })
  await page.getByTestId('cluster-open-fast').click()
  await expect(page.getByTestId('cluster-band')).toContainText('Look only')
  const safety = page.getByTestId('cluster-safety')
  await expect(safety).toHaveText('Fast')
  await expect(safety).toHaveAttribute('title', /the last writes before a server is lost may be lost too/)
  await openListed(page, remoteWorkflow.title, 'first')
  await page.getByTestId('run-button').click()
  await expect(page.getByText('The connection to fast is read-only.').first()).toBeVisible()
}

test('a cluster is connected to, a workflow pushed and run by four runners, one is killed, and the others take over; one that doesn’t answer says so', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'shared.json', waitingForWord(dataDirectory))
  await putWorkflow(dataDirectory, 'remote.json', remoteWorkflow)
  for (const { admin } of cluster.servers) await admin.config('SET', 'cluster-require-full-coverage', 'no')
  await page.goto(server.url)
  await connect(page, cluster)
  const runners =
    await test.step('a workflow is pushed and run by four runners, one is killed, and the others take over', () =>
      shareWork({ page, cluster, dataDirectory }))
  // What comes now needs nobody at work.
  for (const runner of runners) runner.kill('SIGKILL')
  await page.getByTestId('engine-page').getByRole('tab', { name: 'Clusters' }).click()
  await test.step('a cluster that doesn’t answer says why, and this computer is one click away', () =>
    doesNotAnswer(page))
  await test.step('while a part of a cluster doesn’t answer its band says what is missing from the lists', () =>
    isPartlyAway(page, cluster))
  await test.step('a cluster that may only be looked at refuses what would change it, and says so', () =>
    isOnlyLookedAt(page, cluster))
})
