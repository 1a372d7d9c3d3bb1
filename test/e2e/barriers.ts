/** Whether everybody can use what is on the page: what axe finds, and what only the keyboard shows. */

import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** What keeps people from using the page, in so many words; empty when nothing does. */
export async function barriers(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // The page's own axe, which came with its source.
  const { violations } = await page.evaluate(() =>
    (window as unknown as { readonly axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
