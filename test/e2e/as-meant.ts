/** Screens against the pictures of `docs/screens`, in both themes. */

import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'

/** The window of the pictures: a size that a test sets costs nothing, where one of its own settings costs a new page. */
export const pictured = { width: 1280, height: 800 } as const

/** Pixels that may be others: about two words, for who looks at the same thing twice. */
export const restPixels = 800
/** Where times, ids and paths stand that are others each time: some dozen words. */
export const busyPixels = 5_000
/** Where what happened lies over time, which is another each time. */
export const timePixels = 12_000

/** What the window shows is what `docs/screens/NAME-light.png` and `NAME-dark.png` show. */
export async function isAsMeant(page: Page, name: string, maxDiffPixels = restPixels): Promise<void> {
  await inBothThemes(page, (theme) =>
    expect.soft(page).toHaveScreenshot(`${name}-${theme}.png`, { maxDiffPixels }),
  )
}

/** The same of a part of the window, where what stands around it is another each time. */
export async function isPartAsMeant(part: Locator, name: string, maxDiffPixels: number): Promise<void> {
  await part.evaluate(keepOnWholePixels)
  await inBothThemes(part.page(), (theme) =>
    expect.soft(part).toHaveScreenshot(`${name}-${theme}.png`, { maxDiffPixels }),
  )
}

async function inBothThemes(page: Page, look: (theme: 'light' | 'dark') => Promise<void>): Promise<void> {
  // What is pointed at is lit up.
  await page.mouse.move(640, 799)
  // The theme that is there comes first: each picture changes it once.
  const isDark = (await page.locator('html').getAttribute('data-theme')) === 'dark'
  for (const colorScheme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await look(colorScheme)
  }
}

/** Run in the page: between two pixels it would be one higher, as what stands above it happens to be at the moment. */
function keepOnWholePixels(element: HTMLElement): void {
  let top = 0
  const settle = (): void => {
    if (!element.isConnected) return
    const { y } = element.getBoundingClientRect()
    top += Math.round(y) - y
    element.style.cssText += `; position: relative; top: ${top}px`
    requestAnimationFrame(settle)
  }
  settle()
}
