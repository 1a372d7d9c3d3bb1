/** What was just added: what it lacks is known to whoever added it, and isn't told until it was left. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import type { WorkflowTrigger } from '../../src-engine/model/workflow.ts'
import { isWithin } from '../forms/form-context.ts'
import type { FieldPlace } from './field-tab.ts'

/** A trigger as it was added. */
export interface FreshTrigger {
  readonly id: string
  readonly added: WorkflowTrigger
}

export interface Fresh {
  /** The node that was just added: until it is left, or Run pressed, its card doesn't say what it lacks. */
  readonly fresh: NodeId | null
  /** The fields of its form that were written in or left: those say what is wrong with them. */
  readonly touched: readonly string[]
  /** The same of a trigger, whose form keeps quiet too, until it was changed. */
  readonly freshTrigger: FreshTrigger | null
}

/** One and the same, so that a selection that finds nothing touched and leaves nothing touched draws no form. */
const nothingTouched: readonly string[] = []

export const nothingFresh: Fresh = { fresh: null, touched: nothingTouched, freshTrigger: null }

interface Chosen {
  readonly nodes?: readonly NodeId[]
  readonly triggers?: readonly string[]
}

/** What is fresh still once that is selected. */
export const stillFresh = ({ fresh, touched, freshTrigger }: Fresh, selection: Chosen): Fresh => ({
  ...(fresh !== null && selection.nodes?.includes(fresh) === true
    ? { fresh, touched }
    : { fresh: null, touched: nothingTouched }),
  freshTrigger:
    freshTrigger !== null && selection.triggers?.includes(freshTrigger.id) === true ? freshTrigger : null,
})

/** With one more field that was touched, where it is one of the node that is fresh. */
export const withTouched = (
  { fresh, touched }: Pick<Fresh, 'fresh' | 'touched'>,
  { nodeId, field }: FieldPlace,
): Pick<Fresh, 'touched'> => ({
  touched: nodeId !== fresh || touched.includes(field) ? touched : [...touched, field],
})

/** Those problems of a step that its form tells: of one that was just added, only of fields that somebody touched. */
export const toldInForm = (
  { fresh, touched }: Pick<Fresh, 'fresh' | 'touched'>,
  id: NodeId,
  problems: readonly Problem[],
): readonly Problem[] =>
  fresh === id
    ? problems.filter(({ field }) =>
        touched.some((path) => isWithin(field, path) || isWithin(path, field ?? path)),
      )
    : problems

/** Whether nothing was done yet with the trigger that was added; an edit leaves what it doesn't change as it is. */
export const isFreshTrigger = (
  { freshTrigger }: Pick<Fresh, 'freshTrigger'>,
  id: string,
  trigger: WorkflowTrigger | undefined,
): boolean => freshTrigger?.id === id && freshTrigger.added === trigger
