/** Whether everybody can use what is on the page: what axe finds, and what only the keyboard shows. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type axe from 'axe-core'

/** Half of what the other one is to read, for every page anew. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What colours alone decide: all that another theme may change of a page that is otherwise the same. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** What axe keeps of its rules; it is not part of what it promises. */
interface Audit {
  readonly rules: readonly { readonly id: string; readonly impact: string }[]
}

/** A page that has axe in it. */
interface PageWithAxe {
  readonly axe: typeof axe
  /** The page as it was looked at last, but for its theme. */
  lookedAt?: string
}

/**
 * What keeps people from using the page, in so many words; empty when nothing does. The same page in the other theme is
 * looked at for its colours only: names, roles and order are what they were, and take most of the time.
 */
export async function barriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // Half-way through a change of colours nothing has the contrast that it comes to rest with.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    return Promise.all(passing.map((animation) => animation.finished.catch(() => null))).then(() => null)
  })
  // The page's own axe, which came with its source.
  const { violations } = await page.evaluate((colours) => {
    const own = window as unknown as PageWithAxe
    const { theme } = document.documentElement.dataset
    const now = document.documentElement.outerHTML.replace(`data-theme="${theme}"`, '')
    const isKnown = own.lookedAt === now
    own.lookedAt = now
    // What is moderate at most is never among what is found.
    const { rules } = Reflect.get(own.axe, '_audit') as Audit
    const light = rules.filter(({ impact }) => impact === 'moderate' || impact === 'minor')
    return own.axe.run({
      resultTypes: ['violations'],
      ...(isKnown
        ? { runOnly: { type: 'rule' as const, values: [...colours] } }
        : { rules: Object.fromEntries(light.map(({ id }) => [id, { enabled: false }])) }),
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
