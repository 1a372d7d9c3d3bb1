/** Inputs under names: kept, renamed and removed. */

import { castDraft } from 'immer'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** Keeps an input under a name; one of that id is another one from then on. */
export const keepPreset = (
  id: string,
  preset: { readonly title: string; readonly input: JsonObject },
): Edit =>
  singleEdit('Keep a preset', (draft) => {
    draft.presets ??= {}
    draft.presets[id] = castDraft(structuredClone(preset))
  })

export const renamePreset = (id: string, title: string): Edit =>
  singleEdit('Rename a preset', (draft) => {
    const preset = draft.presets?.[id]
    if (preset !== undefined) preset.title = title
  })

/** Without a trace where it was the last one. */
export const removePreset = (id: string): Edit =>
  singleEdit('Remove a preset', (draft) => {
    if (draft.presets === undefined) return
    delete draft.presets[id]
    if (Object.keys(draft.presets).length === 0) delete draft.presets
  })
