/** The scanners that look into results: built-in ones, and those of a policy. Pure, and linear in the text. */

import type { OutputPolicy, OutputSeverity, ScannerPattern } from '../../model/output/output-policy.ts'
import type { Wanted } from './builtin-scanners.ts'
import { builtinWanted } from './builtin-scanners.ts'

/** A place of the text at which something was found. */
export interface Hit {
  readonly scanner: string
  readonly type: string
  readonly severity: OutputSeverity
  readonly confidence: number
  readonly detail: string
  readonly offset: number
  readonly length: number
}

export type Scanners = ReadonlyMap<string, readonly Wanted[]>

/** More of one kind in one result tell nothing new. */
const hitsPerPatternMax = 10
const hitsPerScannerMax = 32
/** How far from a match the words that it needs may be. */
const nearChars = 80

/** All scanners that the rules of a policy can name. */
export function scannersOf(policy: Pick<OutputPolicy, 'scanners'>): Scanners {
  if (policy.scanners.length === 0) return builtinWanted
  const own = policy.scanners.map(({ name, patterns }) => [name, patterns.map(wantedOf)] as const)
  return new Map([...builtinWanted, ...own])
}

const wantedOf = (pattern: ScannerPattern): Wanted => ({
  type: pattern.name,
  expression: new RegExp(pattern.regex, pattern.ignoreCase ? 'gi' : 'g'),
  severity: pattern.severity,
  confidence: pattern.confidence,
  detail: pattern.name,
  near: pattern.contextRequired.map((word) => word.toLowerCase()),
})

/** What a scanner finds; nothing for one that there isn't. */
export function scan(scanners: Scanners, name: string, text: string): readonly Hit[] {
  const hits: Hit[] = []
  for (const wanted of scanners.get(name) ?? []) {
    for (const { offset, length } of matchesOf(text, wanted)) {
      const { type, severity, confidence, detail } = wanted
      hits.push({ scanner: name, type, severity, confidence, detail, offset, length })
      if (hits.length >= hitsPerScannerMax) return hits
    }
  }
  return hits
}

/** Where a regular expression (with the flag `g`) matches, the first ten times. */
export function matchesOf(
  text: string,
  { expression, near = [], isIt }: Pick<Wanted, 'expression'> & Partial<Pick<Wanted, 'near' | 'isIt'>>,
): readonly { readonly offset: number; readonly length: number }[] {
  const found: { offset: number; length: number }[] = []
  expression.lastIndex = 0
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const [said] = match
    // An empty match stands still.
    if (said === '') expression.lastIndex += 1
    else if ((isIt?.(said) ?? true) && isNear(text, match.index, { length: said.length, near })) {
      found.push({ offset: match.index, length: said.length })
      if (found.length >= hitsPerPatternMax) break
    }
  }
  return found
}

function isNear(
  text: string,
  offset: number,
  { length, near }: { readonly length: number; readonly near: readonly string[] },
): boolean {
  if (near.length === 0) return true
  const around = text.slice(Math.max(0, offset - nearChars), offset + length + nearChars).toLowerCase()
  return near.some((word) => around.includes(word))
}

/** Where a word stands, whatever the case, the first ten times. */
export function placesOf(
  lowerText: string,
  word: string,
): readonly { readonly offset: number; readonly length: number }[] {
  const found: { offset: number; length: number }[] = []
  const wanted = word.toLowerCase()
  for (let at = lowerText.indexOf(wanted); at >= 0; at = lowerText.indexOf(wanted, at + wanted.length)) {
    found.push({ offset: at, length: wanted.length })
    if (found.length >= hitsPerPatternMax) break
  }
  return found
}
