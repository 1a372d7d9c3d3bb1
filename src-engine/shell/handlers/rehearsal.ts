/** Rehearsing a workflow before it is run. */

import type { WorkflowDocument } from '../../model/workflow.ts'
import type { RehearsalApi } from '../../protocol/rehearsal.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `rehearsal.*`. */
export const rehearsalHandlers = ({
  customTasks,
  packages,
}: Pick<HandlerDeps, 'customTasks' | 'packages'>): Handlers<keyof RehearsalApi> => ({
  'rehearsal.run': async ({ document, ...rest }) => {
    // Most engines are never asked for one.
    const { rehearseWorkflow } = await import('../rehearsal.ts')
    // The engine of the rehearsal validates the document before it does anything with it.
    return rehearseWorkflow({
      ...{ ...rest, customTasks, packages },
      document: document as unknown as WorkflowDocument,
    })
  },
})
