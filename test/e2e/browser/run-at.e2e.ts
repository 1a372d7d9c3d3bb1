/** Run here or there: a workflow goes to a cluster and its run is watched, without leaving it or this computer. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openAnother, openNode, runState, typeInto } from '../designer-driver.ts'
import type { TestCluster } from './clusters.ts'
import { addCluster, openListed, openTab, remoteWorkflow, test } from './clusters.ts'
import { putWorkflow } from './serving.ts'

/** With the input that it asks for. */
const asking = {
  ...remoteWorkflow,
  ...{ id: 'wf_asking', title: 'Asked far away' },
  input: { type: 'object', properties: { who: { type: 'string', title: 'Who', default: 'me' } } },
}

/** The page with three clusters, the workflow that asks open. */
async function begin(page: Page, url: string, address: string): Promise<void> {
  await page.goto(url)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address, colour: 'amber', isWritable: true })
  await addCluster(page, { name: 'production', address, colour: 'red', isWritable: true })
  await addCluster(page, { name: 'archive', address, colour: 'grey' })
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await openListed(page, asking.title, 'first')
}

const band = (page: Page) => page.getByTestId('run-site')

const parameters = { url: 'https://shop.example.com/', headers: { Authorization: '{{ secrets.SHOP }}' } }
const nodes = { ...remoteWorkflow.nodes, first: { kind: 'http-request', parameters } }
const secret = { ...remoteWorkflow, id: 'wf_secret', title: 'Ask the shop', nodes }

async function pickedByKeys(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Alt+Enter')
  const menu = page.getByTestId('run-menu')
  await expect(page.getByTestId('run-at-local')).toBeFocused()
  await expect(page.getByTestId('run-at-archive')).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByTestId('run-at-archive')).toContainText('nothing can be started there')
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(page.getByTestId('run-menu-button')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByTestId('run-at-plant')).toBeFocused()
  await page.keyboard.press('Enter')
}

async function pushedAndWatched(page: Page): Promise<void> {
  await expect(page.getByTestId('push-lead')).toHaveText('The workflow is new there.')
  await expect(page.getByTestId('push-checks')).toContainText('One runner works there.')
  await expect(page.getByTestId('diff-second')).toBeVisible()
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('push-confirm').press('Enter')
  await expect(page.getByTestId('start-dialog')).toContainText('on plant')
  await page.getByTestId('start-button').click()

  await expect(band(page)).toContainText('This run is done on plant')
  await expect(band(page)).toHaveAttribute('data-colour', 'amber')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'first', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('42')
  // The page itself is still about this computer.
  await expect(page.getByTestId('cluster-band')).toHaveCount(0)
  await page.keyboard.press('F4')
  await expect(page.getByText('No runs yet.')).toBeVisible()

  await page.reload()
  await expect(card(page, 'first')).toBeVisible()
  await expect(page.getByTestId('run-button')).toHaveAttribute('data-site', 'plant')
  await page.getByTestId('run-button').click()
  // The version is there: only the input is asked for.
  await expect(page.getByTestId('start-dialog')).toContainText('on plant')
}

async function published(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Alt+p')
  await page.getByTestId('push-cluster').selectOption('plant')
  await expect(page.getByTestId('push-lead')).toHaveText('The workflow is new there.')
  await page.getByTestId('push-confirm').click()
  await expect(page.getByText('“Done far away” is published on plant.')).toBeVisible()
}

async function standsStill(page: Page, servers: TestCluster['servers']): Promise<void> {
  await page.getByTestId('run-menu-button').click()
  await page.getByTestId('run-at-plant').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  for (const { process } of servers) process.kill('SIGSTOP')
  // Asked at once, for both take as long as the patience with a cluster.
  await page.getByTestId('run-button').click()
  await expect(page.getByTestId('run-site-lost')).toContainText('doesn’t answer')
  await expect(page.getByTestId('push-failed')).toContainText('plant can’t be asked')
  for (const { process } of servers) process.kill('SIGCONT')
  await expect(async () => {
    if (await page.getByTestId('push-again').isVisible()) await page.getByTestId('push-again').click()
    await expect(page.getByTestId('push-words')).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 120_000 })
  await expect(page.getByTestId('push-lead')).toHaveText('This very version is there already.')
  await expect(page.getByTestId('push-confirm')).toHaveText('Run')
  await page.keyboard.press('Escape')
}

async function whatWasEdited(page: Page): Promise<void> {
  await card(page, 'second').click()
  await page.keyboard.press('Delete')
  await openNode(page, 'first')
  await typeInto(page, 'parameters.expression', '6 * 9')
  await page.keyboard.press('ControlOrMeta+Alt+p')
  await expect(page.getByTestId('diff-second')).toHaveAttribute('data-mark', 'removed')
  await expect(page.getByTestId('diff-first')).toHaveAttribute('data-mark', 'changed')
  const changes = page.getByTestId('push-changes')
  await expect(changes).toContainText('parameters.expression')
  await expect(changes).toContainText('6 * 7')
  await expect(changes).toContainText('6 * 9')
  await expect(page.getByTestId('push-edges')).toContainText('1 gone')
  await page.getByTestId('diff-first').click()
  await expect(changes.getByRole('button', { pressed: true })).toContainText('first')
  expect(await barriers(page)).toEqual([])

  // What is marked as production wants its name written.
  await page.getByTestId('push-cluster').selectOption('production')
  await expect(page.getByTestId('diff-second')).toHaveAttribute('data-mark', 'removed')
  await expect(page.getByTestId('push-confirm')).toBeDisabled()
  await page.getByTestId('push-name').fill('production')
  await page.getByTestId('push-name').press('Enter')
  await expect(page.getByText('“Done far away” is published on production.')).toBeVisible()
}

async function secretNobodyHas(page: Page): Promise<void> {
  await openListed(page, 'Ask the shop', 'first')
  await page.keyboard.press('ControlOrMeta+Alt+p')
  await page.getByTestId('push-cluster').selectOption('plant')
  await expect(page.getByTestId('push-checks')).toContainText(
    'No runner there can give the secret SHOP to first: it isn’t in the vault.',
  )
}

test('a workflow is pushed and run there: by keys, past a cluster that stands still, as it was edited, short of a secret', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'asking.json', asking)
  await putWorkflow(dataDirectory, 'remote.json', remoteWorkflow)
  await putWorkflow(dataDirectory, 'secret.json', secret)
  await cluster.startRunner()
  await begin(page, server.url, cluster.address)
  await test.step('by the keyboard: picked, pushed with its difference, asked for input, run, watched and remembered', async () => {
    await pickedByKeys(page)
    await pushedAndWatched(page)
  })
  await page.keyboard.press('Escape')
  await openAnother(page, remoteWorkflow.title)
  await test.step('a push shows what is new', () => published(page))
  await test.step('a cluster that stands still is told on the run’s band and in the dialog, and asked again', () =>
    standsStill(page, cluster.servers))
  await test.step('what was edited is shown as it differs from the cluster’s version, field by field', () =>
    whatWasEdited(page))
  await test.step('a secret that no runner there has is named before the push', () => secretNobodyHas(page))
})
