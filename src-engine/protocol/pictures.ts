/** Pictures of workflows, drawn by the engine: it has the fonts and what draws with them. */

import { z } from 'zod'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import type { PictureTheme } from '../model/picture/picture-colors.ts'
import type { CustomTaskApi } from './custom-tasks.ts'
import type { RehearsalApi } from './rehearsal.ts'
import type { WorkflowTestApi } from './workflow-tests.ts'

export interface PictureApi {
  /** A PNG that carries the workflow. Throws `document_invalid`, `picture_too_large`. */
  readonly 'pictures.png': {
    readonly input: { readonly document: JsonObject; readonly theme: PictureTheme }
    readonly output: { readonly base64: string }
  }
}

/** What is done with a workflow before it is run: rehearsing it, testing it, drawing it, and steps of one's own. */
export type DraftingApi = RehearsalApi & WorkflowTestApi & PictureApi & CustomTaskApi

/** Forms of the inputs. */
export const pictureSchemas = {
  'pictures.png': z.object({
    document: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
    theme: z.enum(['light', 'dark']),
  }),
} as const
