/**
 * The main screens as they are meant to look, in both themes, against the pictures of docs/screens. A change that is
 * meant makes them anew: `npx playwright test --config test/e2e/playwright.config.ts screens.e2e --update-snapshots`
 * after a build; docs/screens.md is the list to look at then.
 */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { busyPixels, isAsMeant, isPartAsMeant, pictured, restPixels, timePixels } from '../as-meant.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { startRunner, test } from './serving.ts'

/** The pages of the engine; a calendar would be another one each month. */
const enginePages = [
  { id: 'inbox', title: 'Inbox' },
  { id: 'runs', title: 'Runs' },
  { id: 'logs', title: 'Logs' },
  { id: 'runners', title: 'Runners' },
  { id: 'policy', title: 'Policy' },
  { id: 'secrets', title: 'Secrets' },
  { id: 'trust', title: 'Trust' },
  { id: 'settings', title: 'Settings' },
  { id: 'pools', title: 'Pools' },
  { id: 'triggers', title: 'Triggers' },
  { id: 'quarantine', title: 'Quarantine' },
  { id: 'audit', title: 'Audit' },
  { id: 'clusters', title: 'Clusters' },
  { id: 'sealing', title: 'Sealing' },
] as const

/** What the machine has to do beside the test is in no picture: the rest of the row stands as it does on any. */
const withoutLoad = '[data-testid="runner-load"] { height: 0; visibility: hidden }'

async function pagesWithNothing(page: Page): Promise<void> {
  await page.getByTestId('engine-button').click()
  for (const { id, title } of enginePages) {
    await page.getByRole('tab', { name: title, exact: true }).click()
    await expect(page.getByRole('tab', { name: title, exact: true })).toHaveAttribute('aria-selected', 'true')
    // What they did lies over time, and is another picture.
    if (id === 'runners') await restyle(page, withoutLoad)
    if (id === 'runners') await isPartAsMeant(page.getByTestId('runners-table'), id, busyPixels)
    else await isAsMeant(page, id, id === 'settings' ? busyPixels : restPixels)
  }
}

async function startRunAndDialogs(page: Page): Promise<void> {
  await expect(page.getByTestId('sample-orders')).toBeVisible()
  await isAsMeant(page, 'start')
  await page.getByTestId('sample-log-summary').getByRole('button', { name: 'Open and run' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.getByTestId('fit-button').click()
  await isAsMeant(page, 'run', busyPixels)
  await openNode(page, 'summarize', 'Run data')
  await expect(page.getByTestId('run-output')).toBeVisible()
  await isAsMeant(page, 'step', busyPixels)
  await card(page, 'summarize').click()
  await page.keyboard.press('w')
  await expect(page.getByTestId('followed-hops').getByRole('listitem').first()).toBeVisible()
  await isAsMeant(page, 'value', busyPixels)
  await page.getByLabel('Close the bottom panel').click()
  await page.keyboard.press('?')
  await isAsMeant(page, 'keys')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await isAsMeant(page, 'palette')
  await page.keyboard.press('Escape')
  await page.getByTestId('home-button').click()
  await page.getByTestId('new-workflow').click()
  await expect(page.getByTestId('empty-canvas')).toBeVisible()
  await isAsMeant(page, 'empty')
}

/** The page's policy allows no style elements. */
const restyle = (page: Page, rules: string): Promise<void> =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }, rules)

/** What of the strip of chores is another one each moment: where now is, which turns there were, and whose turn it is. */
const chosenMoment = `
  [data-testid="chores-strip"] b { left: 42% !important; }
  [data-testid="chores-strip"] [data-turn] { left: 14% !important; }
  [data-testid="chores-strip"] [data-turn] ~ [data-turn] { display: none; }
  [data-testid="chores-strip"] i[data-current] { background: var(--accent-soft) !important; }
`

async function whatTheRunLeft(page: Page, dataDirectory: string): Promise<void> {
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Logs', exact: true }).click()
  await expect(page.getByTestId('log-row').filter({ hasText: 'Run succeeded' })).toHaveCount(1)
  await isAsMeant(page, 'log', timePixels)
  await page.getByRole('tab', { name: 'Runners', exact: true }).click()
  await page.getByTestId('lanes-live').click()
  await expect(page.getByTestId('lane-bar').first()).toBeVisible()
  // How many lanes there are is how much was at work at once, which a slow machine has more of: the picture is of one.
  await page.locator('[data-testid^="lanes-of-"]').evaluateAll((rows) => {
    for (const [index, row] of rows.entries()) {
      if (!(row instanceof HTMLElement)) continue
      row.style.cssText = index === 0 ? 'height: 31px; overflow: hidden' : 'display: none'
    }
  })
  await isPartAsMeant(page.getByTestId('runner-lanes'), 'lanes', timePixels)
  const second = startRunner(dataDirectory)
  const strip = page.getByTestId('chores-strip')
  await expect(strip.locator('[data-current]')).toHaveCount(2)
  await expect(strip.locator('[data-turn]').first()).toBeAttached()
  await restyle(page, chosenMoment)
  await isPartAsMeant(strip, 'chores', busyPixels)
  second.kill()
}

test('a computer that is new, its first run, and what that left', async ({ page, server, dataDirectory }) => {
  await page.setViewportSize(pictured)
  await page.goto(server.url)
  await test.step('the engine’s pages with nothing on them', () => pagesWithNothing(page))
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await test.step('the start page, a finished run, a step’s data, a value’s way and the dialogs', () =>
    startRunAndDialogs(page))
  await test.step('what a run left in the log, in the lanes of its runner, and whose turn the chores are', () =>
    whatTheRunLeft(page, dataDirectory))
})
