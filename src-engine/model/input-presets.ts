/** Inputs that people keep under names with the workflow, to start runs with. Pure. */

import { isJsonObject } from './json.ts'
import type { InputPreset, WorkflowDocument } from './workflow.ts'

/** More would be data, which has a place of its own. */
export const inputPresetsMax = 100
/** What fits a list. */
export const presetTitleLengthMax = 80

export interface NamedPreset extends InputPreset {
  readonly id: string
}

/** By title, as people sort; without what isn't one: the document is opened all the same, and says what is wrong. */
export function presetsOf({ presets = {} }: Pick<WorkflowDocument, 'presets'>): readonly NamedPreset[] {
  return Object.entries(presets)
    .map(([id, preset]) => ({ id, ...preset }))
    .filter(({ title, input }) => typeof title === 'string' && isJsonObject(input))
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }))
}

/** The one of that title, or else of that id; null for none. */
export function presetNamed(document: Pick<WorkflowDocument, 'presets'>, name: string): NamedPreset | null {
  const all = presetsOf(document)
  return all.find(({ title }) => title === name) ?? all.find(({ id }) => id === name) ?? null
}

/** An id that none has yet. */
export function freePresetId(taken: ReadonlySet<string>, title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
  const base = /^[a-z]/.test(plain) ? plain : `preset-${plain}`.replace(/-$/, '')
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`
    if (!taken.has(id)) return id
  }
}
