/** Whether everybody can use what is on the page: what axe finds, and what only the keyboard shows. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import axe from 'axe-core'

/** What colours alone decide: all that another theme may change of a page that is otherwise the same. */
const ofColours = ['color-contrast', 'link-in-text-block']

interface Looked {
  /** The page as it was looked at in whole, but for its theme. */
  whole?: string
}

/**
 * What keeps people from using the page, in so many words; empty when nothing does. The same page in the other theme is
 * looked at for its colours only: names, roles and order are what they were, and take most of the time.
 */
export async function barriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // Half-way through a change of colours nothing has the contrast that it comes to rest with.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    return Promise.all(passing.map((animation) => animation.finished.catch(() => null))).then(() => null)
  })
  // The page's own axe, which came with its source.
  const { violations } = await page.evaluate((colours) => {
    const own = window as unknown as { readonly axe: typeof axe; readonly barriersLooked?: Looked }
    const looked: Looked = own.barriersLooked ?? {}
    Object.assign(window, { barriersLooked: looked })
    const { theme } = document.documentElement.dataset
    const now = document.documentElement.outerHTML.replace(`data-theme="${theme}"`, '')
    const isKnown = looked.whole === now
    looked.whole = now
    return own.axe.run({
      resultTypes: ['violations'],
      ...(isKnown ? { runOnly: { type: 'rule', values: [...colours] } } : {}),
    })
  }, ofColours)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

/** The same in either theme, as the system of a person asks for it; the light one stays. */
export async function barriersInBothThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    found.push(...(await barriers(page)).map((barrier) => `${colorScheme}: ${barrier}`))
  }
  return found
}
