/** Whether everybody can use what is on the page: what axe finds, and what only the keyboard shows. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type axe from 'axe-core'
import { isInWindow } from './handed-over.ts'

/** Half of what the other one is to read, for every page anew. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What colours alone decide: all that another theme may change of a page that is otherwise the same. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** Parts that are the same from test to test, with more than half of all elements in them. */
const lastingParts = ['[data-testid="left-rail"]', 'body > #root > * > header']

/** Those of them that this process has looked at and found nothing in, each as it was. */
const clean = new Set<string>()

/** A lasting part of a page. */
interface LastingPart {
  readonly selector: string
  /** The part as it is, and what it stands in. */
  readonly state: string
  /** Whether something covers it or lights it up: then what is found of it isn't what is found at rest. */
  readonly isTouched: boolean
}

/** Run in the page: its lasting parts. */
function partsOf(selectors: readonly string[]): readonly LastingPart[] {
  return selectors.flatMap((selector) => {
    const part = document.querySelector(selector)
    if (part === null) return []
    const around: string[] = []
    for (let outer = part.parentElement; outer !== null; outer = outer.parentElement)
      around.push((outer.cloneNode(false) as Element).outerHTML)
    const { x, y, width, height } = part.getBoundingClientRect()
    const state = JSON.stringify([x, y, width, height, ...around, part.outerHTML])
    const isTouched = document.querySelector('dialog[open]') !== null || part.matches(':hover, :focus-within')
    return [{ selector, state, isTouched }]
  })
}

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
 * looked at for its colours only: names, roles and order are what they were, and take most of the time. What lasts and had
 * nothing in it is left out as long as it is the same. The desktop app's windows have the page that browsers have, and are
 * not looked at: `desktop/instruments` looks at one.
 */
export async function barriers(page: Page): Promise<readonly string[]> {
  if (isInWindow(page)) return []
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // Half-way through a change of colours nothing has the contrast that it comes to rest with.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    return Promise.all(passing.map((animation) => animation.finished.catch(() => null))).then(() => null)
  })
  const parts = (await page.evaluate(partsOf, lastingParts)).map((part) => ({
    ...part,
    id: createHash('sha256').update(part.state).digest('hex'),
  }))
  const exclude = parts.filter(({ id }) => clean.has(id)).map(({ selector }) => [selector])
  const violations = await violationsOf(page, exclude)
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
  if (found.length === 0) for (const { id, isTouched } of parts) if (!isTouched) clean.add(id)
  return found
}

/** What the page's own axe finds, which came with its source. */
async function violationsOf(page: Page, exclude: string[][]): Promise<readonly axe.Result[]> {
  const { violations } = await page.evaluate(
    ({ colours, without }) => {
      const own = window as unknown as PageWithAxe
      const { theme } = document.documentElement.dataset
      const now = document.documentElement.outerHTML.replace(`data-theme="${theme}"`, '')
      const isKnown = own.lookedAt === now
      own.lookedAt = now
      // What is moderate at most is never among what is found.
      const { rules } = Reflect.get(own.axe, '_audit') as Audit
      const light = rules.filter(({ impact }) => impact === 'moderate' || impact === 'minor')
      return own.axe.run(
        { exclude: without },
        {
          resultTypes: ['violations'],
          ...(isKnown
            ? { runOnly: { type: 'rule' as const, values: [...colours] } }
            : { rules: Object.fromEntries(light.map(({ id }) => [id, { enabled: false }])) }),
        },
      )
    },
    { colours: ofColours, without: exclude },
  )
  return violations
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
