/** Change what belongs to the workflow as a whole: title, description, input form, settings, capabilities. */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Edit } from './edit.ts'

type Editable = 'title' | 'description' | 'input' | 'variables' | 'settings' | 'capabilities'

/** Fields to set; `null` leaves the field out. */
export type WorkflowChanges = { readonly [Field in Editable]?: WorkflowDocument[Field] | null }

/** Sets fields of the workflow. Typing into the same field is one step. */
export function changeWorkflow(changes: WorkflowChanges): Edit {
  return {
    label: 'title' in changes ? 'Rename workflow' : 'Change workflow',
    gesture: `workflow:${Object.keys(changes).sort().join(',')}`,
    recipe: (draft) => {
      const target = draft as unknown as Record<string, unknown>
      for (const [field, value] of Object.entries(changes)) {
        if (value === null) delete target[field]
        else if (value !== undefined) target[field] = value
      }
    },
  }
}
