/** What is seen while a run is taken back: every change of an edge's ink and of a card's undoing, in order. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'

interface Recorder {
  seen: string[]
}

/** From now on each change is kept, however short it is there, and what moves does so. */
export async function recordRewind(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.evaluate(() => {
    const recorder: Recorder = { seen: [] }
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof Element)) continue
        const { ink, undoPhase, testid, rewinding } = (target as HTMLElement).dataset
        const edge = target.closest<HTMLElement>('.react-flow__edge')?.dataset['id']
        const said =
          testid === 'canvas'
            ? `canvas ${rewinding === undefined ? 'still' : 'going back'}`
            : edge === undefined
              ? `${testid?.slice('node-'.length)} ${undoPhase}`
              : `${edge} ${ink}`
        if (recorder.seen.at(-1) !== said) recorder.seen.push(said)
      }
    }).observe(document.body, {
      subtree: true,
      attributes: true,
      attributeFilter: ['data-ink', 'data-undo-phase', 'data-rewinding'],
    })
    Object.assign(window, { rewindRecorder: recorder })
  })
}

/** What was seen since then, or since it was last asked, of one kind: `undone`, `active`, … */
export const recordedRewind = async (page: Page, kinds: readonly string[]): Promise<readonly string[]> => {
  const seen = await page.evaluate(() => {
    const recorder = (window as unknown as { readonly rewindRecorder: Recorder }).rewindRecorder
    const all = recorder.seen
    recorder.seen = []
    return all
  })
  return seen.filter((one) => kinds.some((kind) => one.endsWith(` ${kind}`)))
}

/** Of an order that is taken back: ink and card of one step change together; the steps follow each other. */
export function goesBackInOrder(seen: readonly string[]): void {
  const way = seen.filter((one) => /^(?:one|two|three|charge|reserve) /.test(one))
  const at = (what: string) => way.indexOf(what)
  for (const [before, after] of [
    ['three undone', 'two undone'],
    ['charge active', 'charge done'],
    ['two undone', 'one undone'],
    ['charge done', 'reserve done'],
    ['reserve active', 'one undone'],
  ] as const) {
    expect(at(before), `${before} of ${way.join(', ')}`).toBeGreaterThanOrEqual(0)
    expect(at(before), `${before} before ${after} of ${way.join(', ')}`).toBeLessThan(at(after))
  }
}
