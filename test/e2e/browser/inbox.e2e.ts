/** Decisions that a run waits for: seen, and made, in the inbox, on the canvas and in the inspector. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

async function startAndWait(page: Page): Promise<void> {
  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
}

async function decideInInbox(page: Page): Promise<void> {
  await expect(page.getByTestId('inbox-count')).toHaveCount(0)
  await page.keyboard.press('Alt+F8')
  await expect(page.getByTestId('inbox-empty')).toBeVisible()
  await page.keyboard.press('Alt+F8')
  await page.getByText(shipping.title).first().click()
  await startAndWait(page)
  await expect(page.getByTestId('inbox-count')).toHaveText('1')

  await page.getByTestId('inbox-button').click()
  const detail = page.getByTestId('inbox-detail')
  await expect(detail.getByRole('heading', { level: 1 })).toHaveText('Ship order 4711?')
  await expect(detail.locator('b').filter({ hasText: 'new' })).toBeVisible()
  await expect(detail).toContainText('weight')
  await expect(detail.getByTestId('approval-expiry')).toContainText('Counts as rejected')
  await expect(detail.getByTestId('approval-hash')).toHaveText(/^[0-9a-f]{12}$/)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  // Nothing is pushed back without a word.
  await expect(page.getByTestId('approval-push-back')).toBeDisabled()
  await detail.getByLabel('Carrier').selectOption('UPS')
  await page.getByTestId('approval-person').fill('Anna')
  await page.getByTestId('approval-comment').fill('By express')
  await page.getByTestId('approval-approve').click()
  await expect(page.getByTestId('inbox-empty')).toBeVisible()
  await expect(page.getByTestId('inbox-count')).toHaveCount(0)

  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'ask', 'Run data')
  await expect(page.getByTestId('run-decided')).toContainText('Approved by Anna')
  await expect(card(page, 'ask')).toContainText('approved by Anna')
  await expect(card(page, 'ask').getByTestId('node-why')).toHaveText('By express')
  await expect(page.getByTestId('run-output')).toContainText('UPS')
}

/** The browser's own notices are out of reach of a test; what they are given is not. */
async function keepNotices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: EventTarget[] = []
    class Notice extends EventTarget {
      static permission = 'default'
      static requestPermission = (): Promise<string> => {
        Notice.permission = 'granted'
        return Promise.resolve('granted')
      }
      readonly title: string
      readonly body: string
      constructor(title: string, { body }: { readonly body: string }) {
        super()
        this.title = title
        this.body = body
        shown.push(this)
      }
      close(): void {
        shown.length = 0
      }
    }
    Object.assign(window, { Notification: Notice, shown })
    document.hasFocus = () => false
  })
}

async function readNotices(page: Page): Promise<void> {
  await page.keyboard.press('Alt+F8')
  await page.getByTestId('notice-ask').click()
  await expect(page.getByTestId('notice-state')).toContainText('You are told')
  await page.keyboard.press('Alt+F8')
  await startAndWait(page)
  const bodies = () =>
    page.evaluate(() =>
      (window as unknown as { readonly shown: readonly { readonly body: string }[] }).shown.map(
        ({ body }) => body,
      ),
    )
  await expect.poll(bodies).toEqual(['Ship the order: Ship order 4711?'])
  await expect(page).toHaveTitle('(1) Ship the order — Sagasmith')
  await page.evaluate(() =>
    (window as unknown as { readonly shown: readonly EventTarget[] }).shown[0]?.dispatchEvent(
      new Event('click'),
    ),
  )
  await expect(page.getByTestId('inbox-detail')).toContainText('Ship order 4711?')
  await page.getByTestId('approval-approve').click()
  await expect(page).toHaveTitle('Ship the order — Sagasmith')
}

async function decideOnCard(page: Page): Promise<void> {
  await startAndWait(page)
  await expect(page.getByTestId('run-approval')).toContainText('“Four eyes” waits for a decision')
  await expect(card(page, 'ask')).toContainText('asks anybody')
  await expect(card(page, 'ask').getByTestId('node-why')).toHaveText('Ship order 4711?')
  await page.getByTestId('approve-ask').click()
  await expect(page.getByTestId('approval-form')).toBeVisible()
  await page.getByTestId('approval-reject').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'stop')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(card(page, 'ship')).toHaveAttribute('data-status', 'SKIPPED')
}

async function goByKeys(page: Page): Promise<void> {
  await startAndWait(page)
  await page.getByTestId('run-button').click()
  await expect(page.getByTestId('inbox-count')).toHaveText('2')
  await page.getByTestId('inbox-button').click()
  const rows = page.getByTestId('inbox-row')
  await expect(rows).toHaveCount(2)
  await page.getByTestId('inbox-list').focus()
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Home')
  await expect(rows.nth(0)).toHaveAttribute('aria-selected', 'true')
}

const bounded = {
  format: 'sagasmith.policy',
  schemaVersion: 1,
  defaultDecision: 'ALLOW',
  rules: [
    {
      id: 'four-eyes',
      match: { nodes: ['pay'] },
      decision: 'REQUIRE_APPROVAL',
      reason: 'Money leaves the house',
      approval: { approvers: ['Anna', 'Ben'] },
    },
    { id: 'calm', match: { nodes: ['remind'] }, decision: 'THROTTLE', reason: 'Too many today' },
    { id: 'no-friday', match: { nodes: ['ship'] }, decision: 'DENY', reason: 'Nothing ships on a Friday' },
  ],
}

/** What is denied is handled, so that the other steps go on. */
const ruled = {
  ...shipping,
  id: 'wf_ruled',
  title: 'Under rules',
  nodes: {
    pay: { kind: 'noop', title: 'Pay' },
    remind: { kind: 'noop', title: 'Remind' },
    ship: { kind: 'noop', title: 'Ship' },
    note: { kind: 'noop', title: 'Note it' },
  },
  edges: { no: { from: { node: 'ship', port: 'error' }, to: { node: 'note', port: 'in' } } },
  layout: {
    nodes: {
      pay: { x: 0, y: 0 },
      remind: { x: 320, y: 0 },
      ship: { x: 0, y: 160 },
      note: { x: 320, y: 240 },
    },
  },
}

async function readRules(page: Page): Promise<void> {
  await page.getByText(ruled.title).first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await expect(card(page, 'pay')).toContainText('asks Anna, Ben')
  const why = (node: string) => card(page, node).getByTestId('node-why')
  await expect(why('pay')).toHaveText('Money leaves the house')
  await expect(card(page, 'ship')).toHaveAttribute('data-status', 'DENIED')
  await expect(card(page, 'ship')).toContainText('rule “no-friday”')
  await expect(why('ship')).toHaveText('Nothing ships on a Friday')
  await expect(card(page, 'remind')).toContainText('rule “calm”')
  await expect(why('remind')).toHaveText('Too many today')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }

  await page.getByTestId('approve-pay').click()
  await page.getByTestId('approval-person').fill('Ben')
  await page.getByTestId('approval-comment').fill('Not this year')
  await page.getByTestId('approval-reject').click()
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'DENIED')
  await expect(card(page, 'pay')).toContainText('rejected by Ben')
  await expect(why('pay')).toHaveText('Not this year')
  await expect(runState(page)).toHaveAttribute('data-status', 'DENIED')
  await expect(page.getByTestId('letters-count')).toHaveText('1')
  await page.getByTestId('letters-button').click()
  await expect(page.getByTestId('letter-error')).toContainText('Ben rejected')
  await expect(page.getByTestId('letter-row')).toContainText('The step was rejected.')
}

test('what waits is decided in the inbox, told by notices, decided on its card and gone through by keys, and cards say which rule has a say', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await putWorkflow(dataDirectory, 'ruled.json', ruled)
  await keepNotices(page)
  await page.goto(server.url)
  await test.step('an approval waits in the inbox and is decided there', () => decideInInbox(page))
  await test.step('in a browser, notices come once they were asked for, and lead to the inbox', () =>
    readNotices(page))
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await test.step('a step that asks is decided from its card, and rejecting goes its own way', () =>
    decideOnCard(page))
  await test.step('the list of what waits is gone through by keys', () => goByKeys(page))

  const policy = await putWorkflow(dataDirectory, 'policy.json', bounded)
  expect((await runCli(['policy', 'set', policy, '--data', dataDirectory])).code).toBe(0)
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByTestId('home-button').click()
  await test.step('each card says which rule has a say and why; a rejection is told, and becomes a dead letter', () =>
    readRules(page))
})
