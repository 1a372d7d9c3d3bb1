/** Many steps that change at once: the canvas shows it without motion, and moves again once it is calm. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, cards, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const count = 44
const crowd = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_bustle',
  title: 'All at once',
  nodes: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `n${at}`,
      { kind: 'delay', parameters: { amount: 1, unit: 'seconds' } },
    ]),
  ),
  edges: {},
  layout: {
    nodes: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `n${at}`,
        { x: (at % 4) * 264, y: Math.floor(at / 4) * 120 },
      ]),
    ),
  },
}

interface Told {
  readonly isOn: boolean
  /** Of the first card, at that moment. */
  readonly transition: string
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'no-preference' }))

/** From now on each change of the page's bustle is kept. */
async function watchBustle(page: Page): Promise<void> {
  await page.evaluate(() => {
    const told: Told[] = []
    Object.assign(window, { told })
    const page = document.documentElement
    new MutationObserver(() => {
      const first = document.querySelector('[data-testid="node-n0"]')
      const transition = first === null ? '' : getComputedStyle(first).transitionDuration
      told.push({ isOn: page.hasAttribute('data-bustle'), transition })
    }).observe(page, { attributes: true, attributeFilter: ['data-bustle'] })
  })
}

/** From now on it is counted how many states change in each frame. */
async function countPerFrame(page: Page): Promise<void> {
  await page.evaluate(() => {
    const perFrame: number[] = []
    Object.assign(window, { perFrame })
    let changed = 0
    new MutationObserver((list) => {
      changed += list.filter(({ oldValue }) => oldValue !== null).length
    }).observe(document.body, {
      subtree: true,
      attributeOldValue: true,
      attributeFilter: ['data-status'],
    })
    const frame = (): void => {
      if (changed > 0) perFrame.push(changed)
      changed = 0
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

test('while dozens of cards change at once none of them glides into its state, and they show it in turn', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'bustle.json', crowd)
  await page.goto(server.url)
  await page.getByText('All at once').first().click()
  await expect(cards(page)).toHaveCount(count)
  await watchBustle(page)
  await countPerFrame(page)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  await test.step('while dozens of cards change at once none of them glides into its state; afterwards they do again', async () => {
    await expect(card(page, 'n0')).toHaveAttribute('data-status', 'SUCCESS')
    await expect(page.locator('html')).not.toHaveAttribute('data-bustle')
    const told = await page.evaluate(() => (window as unknown as { readonly told: readonly Told[] }).told)
    expect(told.map(({ isOn }) => isOn).slice(0, 2)).toEqual([true, false])
    expect(told[0]?.transition).toBe('0s')
    expect(told[1]?.transition).toBe('0.12s, 0.12s, 0.22s')
  })

  await test.step('what dozens of cards came to at once they show in turn, a few in each frame, and all of them in the end', async () => {
    await expect(page.locator('article[data-status="SUCCESS"]')).toHaveCount(count)
    const perFrame = await page.evaluate(
      () => (window as unknown as { readonly perFrame: readonly number[] }).perFrame,
    )
    // Twelve that take their turn, as many that needn't, and a mark elsewhere on the page.
    expect(Math.max(...perFrame)).toBeLessThanOrEqual(28)
    expect(perFrame.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(count)
  })
})
