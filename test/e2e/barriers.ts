/** Whether everybody can use what is on the page: what axe finds, and what only the keyboard shows. */

import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** What keeps people from using the page, in so many words; empty when nothing does. */
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
  const { violations } = await page.evaluate(() =>
    (window as unknown as { readonly axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
