/**
 * What a live cluster asks of people, and what they steer of it, on the pages that are about it: decisions, dead letters,
 * triggers, pools; and what isn't done from here, which says why.
 */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { lookAtCluster, openListed, openTab, pushAndRun, test } from './clusters.ts'
import { putWorkflow, runCli } from './serving.ts'

const head = { format: 'sagasmith.workflow', schemaVersion: 1, edges: {} }
const failing = {
  ...head,
  id: 'wf_failing',
  title: 'Fetch from the shelf',
  nodes: { fetch: { kind: 'transform', parameters: { expression: '$error("Out of stock")' } } },
  layout: { nodes: { fetch: { x: 0, y: 0 } } },
}
const scheduled = {
  ...head,
  id: 'wf_scheduled',
  title: 'Count the stock',
  nodes: { count: { kind: 'transform', parameters: { expression: '7' } } },
  triggers: { yearly: { kind: 'cron', title: 'Once a year', parameters: { expression: '0 0 1 1 *' } } },
  layout: { nodes: { count: { x: 0, y: 0 } } },
}

/** A page of the engine, from wherever one is. */
async function goTo(page: Page, name: string): Promise<void> {
  if (await page.getByTestId('engine-page').isVisible())
    await page.getByTestId('engine-page').getByRole('tab', { name, exact: true }).click()
  else await openTab(page, name)
}

async function decide(page: Page): Promise<void> {
  await openListed(page, shipping.title, 'ask')
  await pushAndRun(page)
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await expect(page.getByTestId('inbox-count')).toHaveText('1')
  await page.getByTestId('inbox-button').click()
  await expect(page.getByTestId('inbox-detail')).toContainText('Ship order 4711?')
  await page.getByTestId('approval-person').fill('Anna')
  await page.getByTestId('approval-approve').click()
  await expect(page.getByTestId('inbox-empty')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'ask', 'Run data')
  await expect(page.getByTestId('run-decided')).toContainText('Approved by Anna')
}

async function dealWithLetters(page: Page): Promise<void> {
  await openListed(page, failing.title, 'fetch')
  const first = await pushAndRun(page)
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  await expect(page.getByTestId('letters-count')).toHaveText('1')
  await page.getByTestId('letters-button').click()
  await expect(page.getByTestId('letter-error')).toContainText('Out of stock')
  await page.getByTestId('letter-replay').click()
  await page.getByTestId('toasts').getByRole('button', { name: 'Open the run' }).click()
  await expect(runState(page)).not.toHaveAttribute('data-run-id', first)
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  // The first is dealt with; what was started for it failed, too.
  await expect(page.getByTestId('letters-count')).toHaveText('1')
  await page.getByTestId('letters-button').click()
  await expect(page.getByTestId('letter-row')).toHaveCount(1)
  await page.getByTestId('letter-list').focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('letters-empty')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
}

async function fireTrigger(page: Page): Promise<void> {
  await openListed(page, scheduled.title, 'count')
  await page.getByTestId('edge-publish').click()
  await page.getByTestId('push-cluster').selectOption('plant')
  await page.getByTestId('push-confirm').click()
  const trigger = page.getByTestId('trigger-card-yearly')
  await expect(trigger).toHaveAttribute('data-standing', 'acts')
  await trigger.getByTestId('trigger-fire').click()
  await page.getByRole('button', { name: 'Show the run' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await goTo(page, 'Triggers')
  await expect(page.getByTestId('firing-row')).toHaveCount(1)
  await page.getByTestId('firing-row').first().click()
  await expect(page.getByTestId('firing-detail')).toContainText('Once a year')
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
}

async function drainPool(page: Page): Promise<void> {
  await goTo(page, 'Pools')
  const pool = page.getByTestId('pool-default')
  await expect(pool).toContainText('1 runner')
  await page.getByTestId('pool-drain-default').click()
  // A runner ends the drain: by then it knows of it, and takes nothing that comes after it.
  await expect(pool).toContainText('Inactive')
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  const before = (await runState(page).getAttribute('data-run-id')) ?? ''
  await page.getByTestId('run-button').click()
  await expect(runState(page)).not.toHaveAttribute('data-run-id', before)
  await expect(card(page, 'count')).toHaveAttribute('data-status', /REGISTERED|REROUTED/)
  await goTo(page, 'Pools')
  await page.getByTestId('pool-activate-default').click()
  await expect(pool).toContainText('Active')
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
}

async function seeWhatIsNotOffered(page: Page): Promise<void> {
  await goTo(page, 'Settings')
  await expect(page.getByTestId('settings-whose')).toContainText('Each runner of plant has its own')
  await expect(page.getByTestId('setting-claim_ttl')).toBeVisible()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByTestId('timeline-button').click()
  await page.getByRole('tab', { name: 'Tests' }).click()
  await expect(page.getByTestId('keep-not')).toContainText('This run is done on plant.')
  await expect(page.getByTestId('keep-test')).toBeDisabled()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('What shall happen?').fill('Crash its worker')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('crash-not-there')).toContainText('none of them is killed from here')
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Escape')
}

test('on the pages of a cluster people decide, deal with dead letters, fire, drain, and read what isn’t theirs', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await putWorkflow(dataDirectory, 'failing.json', failing)
  await putWorkflow(dataDirectory, 'scheduled.json', scheduled)
  await cluster.startRunner()
  await lookAtCluster(page, { server, cluster, dataDirectory })
  await test.step('a decision is made in the inbox', () => decide(page))
  await test.step('a dead letter is replayed, and another one discarded', () => dealWithLetters(page))
  await test.step('a trigger is published there, and fired by hand', () => fireTrigger(page))
  await test.step('a pool is drained, and work waits until it is put back', () => drainPool(page))
  await test.step('what isn’t offered says why', () => seeWhatIsNotOffered(page))

  // None of it is on this computer.
  const here = await runCli(['runs', 'list', '--data', dataDirectory, '--json'])
  expect(here.text.trim()).toBe('')
  const there = await runCli(['dlq', 'list', '--cluster', 'plant', '--data', dataDirectory, '--json'])
  expect(there.text).not.toContain('Out of stock')
})
