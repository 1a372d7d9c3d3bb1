/** The theme's colours as a 2D canvas takes them. */

import type { FarColors } from './far-picture.ts'

const names: Readonly<Record<keyof FarColors, string>> = {
  card: '--card',
  line: '--card-line',
  edge: '--edge',
  ink: '--tone-good',
  text: '--text',
  accent: '--accent',
  found: '--tone-wait',
  note: '--tone-wait',
  'tone-neutral': '--tone-neutral',
  'tone-active': '--tone-active',
  'tone-good': '--tone-good',
  'tone-wait': '--tone-wait',
  'tone-bad': '--tone-bad',
  'tone-muted': '--tone-muted',
  'tone-repair': '--tone-repair',
  'tone-violet': '--tone-violet',
}

/** Asks the page what its tokens are now. */
export function farColors(element: Element): FarColors {
  const styles = getComputedStyle(element)
  const resolved = Object.entries(names).map(([key, token]) => [key, styles.getPropertyValue(token).trim()])
  return Object.fromEntries(resolved)
}
