/** Hits in a flat text as people are told of them: where, and in which company, but never what. */

import type { OutputFinding } from '../../model/output/output-check.ts'
import type { FlatText, Leaf } from './flat-text.ts'
import { leafAt } from './flat-text.ts'
import type { Hit } from './scanners.ts'

/** Of a result with more than these, more tell nothing new. */
const findingsMax = 100
const snippetCharsMax = 160
const aroundChars = 40

/** The first hundred findings. */
export function findingsOf({ text, leaves }: FlatText, hits: readonly Hit[]): readonly OutputFinding[] {
  return hits.slice(0, findingsMax).map((hit): OutputFinding => {
    const { scanner, type, severity, detail, confidence, offset, length } = hit
    const leaf = leafAt(leaves, offset)
    return {
      scanner,
      type,
      severity,
      detail,
      confidence,
      snippet: leaf === null ? '' : snippetOf(text, { hit, leaf, hits }),
      place: leaf?.place ?? '$',
      offset: leaf === null ? offset : Math.max(0, offset - leaf.start),
      length,
    }
  })
}

function snippetOf(
  text: string,
  { hit, leaf, hits }: { readonly hit: Hit; readonly leaf: Leaf; readonly hits: readonly Hit[] },
): string {
  const from = Math.max(leaf.from, hit.offset - aroundChars)
  const to = Math.min(leaf.end, hit.offset + hit.length + aroundChars)
  const inside = hits
    .filter(({ offset, length }) => offset < to && offset + length > from)
    .toSorted((left, right) => left.offset - right.offset)
  let snippet = ''
  let at = from
  for (const { offset, length, type } of inside) {
    if (offset + length <= at) continue
    snippet += `${text.slice(at, Math.max(at, offset))}[${type}]`
    at = Math.max(at, offset + length)
  }
  return `${snippet}${text.slice(at, Math.max(at, to))}`.slice(0, snippetCharsMax)
}
