/**
 * The engine's pages of a computer that has been at work, against the pictures of docs/screens, as `screens.e2e.ts` has
 * it: a list is judged by what stands in it.
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { busyPixels, isAsMeant, pictured } from '../as-meant.ts'
import { card } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const format = { format: 'sagasmith.workflow', schemaVersion: 1, edges: {} }

/** Ends well with a number, and otherwise not. */
const counting = {
  ...format,
  id: 'wf_counting',
  title: 'Count the parcels',
  nodes: {
    count: { kind: 'transform', title: 'Count', parameters: { expression: '$number(input.parcels) * 2' } },
  },
  layout: { nodes: { count: { x: 0, y: 0 } } },
}

/** Starts by itself when somebody says that stock is low. */
const stocking = {
  ...format,
  id: 'wf_stocking',
  title: 'Order more stock',
  triggers: { low: { kind: 'event', title: 'Stock is low', parameters: { name: 'stock.low' } } },
  nodes: { order: { kind: 'noop', title: 'Order it' } },
  layout: { nodes: { order: { x: 0, y: 0 } } },
}

/** Its result looks like a key of a cloud. */
const leaking = {
  ...format,
  id: 'wf_leaking',
  title: 'Read the settings',
  nodes: {
    read: {
      kind: 'transform',
      title: 'Read',
      parameters: { expression: "{ 'key': 'AKIA' & 'QWERTYUIOPASDFGH' }" },
    },
  },
  settings: { rollbackOn: [] },
  layout: { nodes: { read: { x: 0, y: 0 } } },
}

const policy = {
  format: 'sagasmith.policy',
  schemaVersion: 1,
  defaultDecision: 'ALLOW',
  rules: [
    {
      id: 'commands',
      title: 'Commands ask first',
      match: { kinds: ['shell-command'] },
      decision: 'REQUIRE_APPROVAL',
      reason: 'A person looks at each of them.',
      approval: { approvers: ['anna'], deadlineMs: 86_400_000 },
    },
    {
      id: 'hosts',
      title: 'Only our own hosts',
      match: { kinds: ['http-request'] },
      decision: 'ALLOW_WITH_CONSTRAINTS',
      constraints: { maxRuntimeMs: 30_000, hosts: ['*.example.com'] },
    },
    {
      id: 'mail',
      title: 'No mail',
      match: { kinds: ['send-mail'] },
      decision: 'DENY',
      reason: 'Not from here.',
    },
  ],
}

/** Pages, what a row of theirs is, and how many there are in the end. */
const pages = [
  { title: 'Inbox', rows: '[data-testid="inbox-row"]', count: 1 },
  { title: 'Runs', rows: '[data-testid="runs-row"]', count: 5 },
  { title: 'Triggers', rows: '[data-testid="firing-row"]', count: 1 },
  { title: 'Quarantine', rows: '[data-testid="quarantine-row"]', count: 1 },
  { title: 'Policy', rows: '[data-testid="policy-row"]', count: 3 },
  { title: 'Audit', rows: '[data-testid="audit-row"]', count: 1 },
  { title: 'Clusters', rows: '[data-testid="clusters-table"] tbody tr', count: 2 },
] as const

/** Two runs that ended, a policy, two clusters, and a trigger that acts. */
async function work(dataDirectory: string): Promise<void> {
  const call = async (...args: readonly string[]) => {
    const { code, text } = await runCli([...args, '--data', dataDirectory])
    expect(text, args.join(' ')).not.toBe('')
    return code
  }
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await putWorkflow(dataDirectory, 'leaking.json', leaking)
  const path = await putWorkflow(dataDirectory, 'counting.json', counting)
  expect(await call('run', path, '--input', '{"parcels":12}')).toBe(0)
  expect(await call('run', path, '--input', '{"parcels":"a dozen"}')).toBe(1)
  const rules = join(dataDirectory, 'policy.json')
  await writeFile(rules, JSON.stringify(policy))
  expect(await call('policy', 'set', rules, '--note', 'Agreed on Monday', '--as', 'Anna')).toBe(0)
  expect(await call('publish', await putWorkflow(dataDirectory, 'stocking.json', stocking))).toBe(0)
  const looked = ['clusters', 'add', 'production', 'redis://10.0.0.1:6379', '--colour', 'red']
  expect(await call(...looked)).toBe(0)
  const changed = ['clusters', 'add', 'staging', 'redis://10.0.0.2:6379', '--colour', 'green', '--writable']
  expect(await call(...changed)).toBe(0)
}

/** What a run comes to by itself. */
interface Waiting {
  readonly step: string
  readonly status: string
}

async function runOf(page: Page, title: string, { step, status }: Waiting): Promise<void> {
  await page.getByText(title).first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, step)).toHaveAttribute('data-status', status)
  await page.getByTestId('home-button').click()
}

async function addSecret(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Secrets', exact: true }).click()
  await page.getByTestId('secret-add').click()
  await page.getByTestId('secret-name').fill('SHOP_TOKEN')
  await page.getByTestId('secret-value').fill('canary-4711-value')
  await page.getByTestId('secret-note').fill('for the shop')
  await page.getByTestId('secret-hosts').fill('api.example.com')
  await page.getByTestId('secret-save').click()
  await expect(page.getByTestId('secret-SHOP_TOKEN')).toContainText('api.example.com')
}

test('the engine’s pages once there was something to do', async ({ page, serve, dataDirectory }) => {
  await work(dataDirectory)
  const { url } = await serve({ SAGASMITH_OUTPUT_POLICY_ENABLED: 'true' })
  await page.setViewportSize(pictured)
  await page.goto(url)
  await runOf(page, shipping.title, { step: 'ask', status: 'APPROVAL_REQUIRED' })
  await runOf(page, leaking.title, { step: 'read', status: 'OUTPUT_QUARANTINED' })
  expect((await runCli(['event', 'emit', 'stock.low', '--data', dataDirectory])).code).toBe(0)
  await page.getByTestId('engine-button').click()
  for (const { title, rows, count } of pages) {
    await page.getByRole('tab', { name: title }).click()
    await expect(page.locator(rows)).toHaveCount(count)
    await isAsMeant(page, `${title.toLowerCase()}-in-use`, busyPixels)
  }
  await addSecret(page)
  await isAsMeant(page, 'secrets-in-use', busyPixels)
})
