/** Search over task kinds: title first, then keywords, then the description. Pure. */

import type { TaskSpec } from '../../src-engine/model/task-spec.ts'

/** The kinds that fit, best first; all of them, in their order, for an empty search. Internal ones are not offered. */
export function searchKinds(all: readonly TaskSpec[], query: string): readonly TaskSpec[] {
  const specs = all.filter(({ isInternal }) => isInternal !== true)
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return specs
  return specs
    .map((spec) => ({ spec, score: scoreOf(spec, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ spec }) => spec)
}

function scoreOf(spec: TaskSpec, words: readonly string[]): number {
  let total = 0
  for (const word of words) {
    const score = wordScore(spec, word)
    if (score === 0) return 0
    total += score
  }
  return total
}

function wordScore(spec: TaskSpec, word: string): number {
  const title = spec.title.toLowerCase()
  if (title.startsWith(word)) return 8
  if (title.split(/\W+/).some((part) => part.startsWith(word))) return 6
  if (title.includes(word) || spec.kind.includes(word)) return 4
  if (spec.keywords.some((keyword) => keyword.startsWith(word))) return 3
  if (spec.category.startsWith(word)) return 2
  return spec.description.toLowerCase().includes(word) ? 1 : 0
}
