/** What starts the workflow by itself: triggers are added, changed and removed. */

import { castDraft } from 'immer'
import type { WorkflowTrigger } from '../../src-engine/model/workflow.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** A new trigger. */
export function addTrigger(id: string, trigger: WorkflowTrigger): Edit {
  return singleEdit('Add trigger', (draft) => {
    draft.triggers ??= {}
    // The draft's own copy: parameters of a kind's spec are shared by all.
    draft.triggers[id] = structuredClone(trigger) as (typeof draft.triggers)[string]
  })
}

/** Fields to set; `touched` names what is typed into, which is one step. What is as usual is left out. */
export function changeTrigger(
  id: string,
  changes: Pick<WorkflowTrigger, 'title' | 'parameters' | 'enabled'>,
  touched: string = Object.keys(changes).join(','),
): Edit {
  return {
    label: 'Change trigger',
    gesture: `trigger:${id}:${touched}`,
    recipe: (draft) => {
      const trigger = draft.triggers?.[id]
      if (trigger === undefined) return
      const { title, enabled, parameters } = { ...trigger, ...changes }
      if (title === undefined || title === '') delete trigger.title
      else trigger.title = title
      if (enabled === undefined || enabled) delete trigger.enabled
      else trigger.enabled = enabled
      if (parameters === undefined) delete trigger.parameters
      else trigger.parameters = castDraft(parameters)
    },
  }
}

/** Has a trigger wait for another one too: one that is there, or a new one, as one step. */
export function addCondition(of: string, condition: string, fresh: WorkflowTrigger | null): Edit {
  return singleEdit('Add condition', (draft) => {
    const composite = draft.triggers?.[of]
    if (draft.triggers === undefined || composite === undefined) return
    const parameters = composite.parameters ?? {}
    const known = Array.isArray(parameters['conditions']) ? parameters['conditions'] : []
    composite.parameters = castDraft({ ...parameters, conditions: [...known, condition] })
    if (fresh !== null) draft.triggers[condition] = structuredClone(fresh) as (typeof draft.triggers)[string]
  })
}

/** Removes a trigger. */
export function removeTrigger(id: string): Edit {
  return singleEdit('Remove trigger', (draft) => dropTrigger(draft, id))
}

/** Takes a trigger out, without a trace where it was the last one. */
export function dropTrigger(draft: DocumentDraft, id: string): void {
  if (draft.triggers === undefined) return
  delete draft.triggers[id]
  if (Object.keys(draft.triggers).length === 0) delete draft.triggers
}
