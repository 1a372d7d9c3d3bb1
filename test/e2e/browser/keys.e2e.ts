/** Everything by the keyboard: pages, panels, dialogs; and nothing that keeps people from using them. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriersInBothThemes } from '../barriers.ts'
import { openNode, runState, unfold } from '../designer-driver.ts'
import { test } from './serving.ts'

const pages = [
  ['F7', 'runners-table'],
  ['Alt+F7', 'pools-table'],
  ['Shift+F7', 'engine-page'],
  ['ControlOrMeta+,', 'settings-table'],
] as const

async function openPages(page: Page): Promise<void> {
  await page.getByTestId('begin-transform').click()
  for (const [chord, shown] of pages) {
    await page.keyboard.press(chord)
    await expect(page.getByTestId(shown)).toBeVisible()
    await page.keyboard.press(chord)
    await expect(page.getByTestId(shown)).toHaveCount(0)
  }
  for (const [chord, tab] of [
    ['F8', 'Problems'],
    ['Shift+F8', 'Log'],
    ['F9', 'Timeline'],
    ['Shift+F9', 'Family'],
    ['F4', 'Runs'],
    ['Shift+F4', 'Files'],
  ] as const) {
    await page.keyboard.press(chord)
    const opened = page.getByRole('tab', { name: tab, exact: true })
    await expect(opened).toBeFocused()
    await expect(opened).toHaveAttribute('aria-selected', 'true')
    expect(await outlineOf(page)).not.toBe('none')
  }
}

async function lookAround(page: Page): Promise<void> {
  await expect(page.getByTestId('empty-canvas')).toBeVisible()
  await page.keyboard.press('F8')
  expect(await barriersInBothThemes(page)).toEqual([])

  await page.getByTestId('palette-item-sub-workflow').click()
  await openNode(page, 'subWorkflow')
  await expect(page.getByTestId('workflow-choice')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])
  await openNode(page, 'subWorkflow', 'Settings')
  for (const group of ['Retry', 'Timeouts', 'How many at a time', 'When it is cut off', 'Where it runs']) {
    await unfold(page, group)
  }
  expect(await barriersInBothThemes(page)).toEqual([])

  await page.getByTestId('home-button').click()
  await page.getByTestId('sample-log-summary').getByRole('button', { name: 'Open and run' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED', { timeout: 45_000 })
  await page.keyboard.press('Shift+F9')
  await expect(page.getByText('Nobody started this run but you')).toBeVisible()
  await page.keyboard.press('F4')
  await page.getByTestId('bulk-all-button').click()
  await expect(page.getByTestId('bulk-all-dialog')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])
}

async function keepFocus(page: Page): Promise<void> {
  await page.keyboard.press('F4')
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', /SUCCEEDED|FAILED/)
  const opener = page.getByTestId('bulk-all-button')
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByTestId('bulk-all-dialog')
  await expect(dialog).toBeVisible()
  for (let press = 0; press < 8; press += 1) {
    await page.keyboard.press('Tab')
    // The browser's own chrome may have it for one press; nothing behind the dialog ever does.
    expect(await isBehind(page)).toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
}

/** How what has the focus is outlined. */
const outlineOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)

/** Whether something outside of the open dialog has the focus. */
const isBehind = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const active = document.activeElement
    return active !== null && active !== document.body && active.closest('dialog[open]') === null
  })

test('each page opens by its keys and closes by them, and nothing keeps people from settings, family and an empty canvas', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(server.url)
  await page.getByTestId('new-workflow').click()
  await test.step('nothing keeps people from settings, family and an empty canvas', () => lookAround(page))
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('bulk-all-dialog')).toHaveCount(0)
  // Its key closes the tab that is open.
  await page.keyboard.press('F4')
  await expect(page.getByRole('tab', { name: 'Runs', exact: true })).toHaveCount(0)
  await page.getByTestId('home-button').click()
  await page.getByTestId('new-workflow').click()
  await test.step('each page opens by its keys and closes by them, and the tab has the focus', () =>
    openPages(page))
  await test.step('a dialog keeps the focus and gives it back', () => keepFocus(page))
})
