/** What a pasted text names: runs, steps, runners, links. An id alone, or a line of a log with several. Pure. */

import type { InvocationId, RunId } from '../model/ids.ts'
import { invocationId, runId, runIdOf, stepPlaceOf } from '../model/ids.ts'
import type { DeepLink } from './deep-link.ts'
import { readDeepLink } from './deep-link.ts'

export type NamedPlace =
  | { readonly kind: 'run'; readonly runId: RunId }
  /** `step` is where it is in its run: `pay`, `pay@each:3`. */
  | {
      readonly kind: 'step'
      readonly runId: RunId
      readonly invocationId: InvocationId
      readonly step: string
    }
  | { readonly kind: 'runner'; readonly runnerId: string }
  | { readonly kind: 'link'; readonly text: string; readonly link: DeepLink }

/** Nobody chooses among more. */
const placesMax = 8
/** A log that is pasted whole is looked at from its beginning. */
const lengthMax = 20_000

/** The places in the order of the text, each once; the more precise first where one names the other. */
export function namedPlaces(text: string): readonly NamedPlace[] {
  const found = new Map<string, NamedPlace>()
  for (const word of wordsOf(text.slice(0, lengthMax))) {
    const place = placeOf(word.replace(/[.:!?]+$/, ''))
    if (place !== null) found.set(keyOf(place), place)
  }
  const steps = new Set([...found.values()].flatMap((place) => (place.kind === 'step' ? [place.runId] : [])))
  const named = [...found.values()]
  const precise = named.filter(({ kind }) => kind !== 'run' && kind !== 'runner')
  const runs = named.filter((place) => place.kind === 'run' || place.kind === 'runner')
  // The run of a step that is named is one press away from it.
  const apart = runs.filter((place) => place.kind === 'runner' || !steps.has(place.runId))
  const inside = runs.filter((place) => place.kind === 'run' && steps.has(place.runId))
  return [...precise, ...apart, ...inside].slice(0, placesMax)
}

/** Of the languages of logs: JSON, `key=value`, sentences. Links are whole words, with their `?` and `=`. */
const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[\s"'`,;()[\]{}<>|]+/)
    .flatMap((word) => (word.startsWith('sagasmith://') ? [word] : word.split('=')))

function placeOf(word: string): NamedPlace | null {
  const link = word.startsWith('sagasmith://') ? readDeepLink(word) : null
  if (link !== null) return { kind: 'link', text: word, link }
  if (/^runner_[A-Za-z0-9]{6,64}$/.test(word)) return { kind: 'runner', runnerId: word }
  // `run_id` is how logs call the field.
  if (!/^run_[^/]+(?:\/[^/].*)?$/.test(word) || word === 'run_id') return null
  if (!word.includes('/')) return { kind: 'run', runId: runId(word) }
  const id = invocationId(word)
  return { kind: 'step', runId: runIdOf(id), invocationId: id, step: stepPlaceOf(id) }
}

function keyOf(place: NamedPlace): string {
  if (place.kind === 'run') return place.runId
  if (place.kind === 'step') return place.invocationId
  return place.kind === 'runner' ? place.runnerId : place.text
}
