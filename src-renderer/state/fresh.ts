/** What was just added: what it lacks is known to whoever added it, and isn't told until it was left. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowTrigger } from '../../src-engine/model/workflow.ts'

/** A trigger as it was added. */
export interface FreshTrigger {
  readonly id: string
  readonly added: WorkflowTrigger
}

export interface Fresh {
  /** The node that was just added: until it is left, or Run pressed, its card doesn't say what it lacks. */
  readonly fresh: NodeId | null
  /** The same of a trigger, whose form keeps quiet too, until it was changed. */
  readonly freshTrigger: FreshTrigger | null
}

export const nothingFresh: Fresh = { fresh: null, freshTrigger: null }

interface Chosen {
  readonly nodes?: readonly NodeId[]
  readonly triggers?: readonly string[]
}

/** What is fresh still once that is selected. */
export const stillFresh = ({ fresh, freshTrigger }: Fresh, selection: Chosen): Fresh => ({
  fresh: fresh !== null && selection.nodes?.includes(fresh) === true ? fresh : null,
  freshTrigger:
    freshTrigger !== null && selection.triggers?.includes(freshTrigger.id) === true ? freshTrigger : null,
})

/** Whether nothing was done yet with the trigger that was added; an edit leaves what it doesn't change as it is. */
export const isFreshTrigger = (
  { freshTrigger }: Pick<Fresh, 'freshTrigger'>,
  id: string,
  trigger: WorkflowTrigger | undefined,
): boolean => freshTrigger?.id === id && freshTrigger.added === trigger
