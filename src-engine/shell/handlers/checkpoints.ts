/** What documents were at certain moments. */

import type { HandlerDeps, Handlers } from './contract.ts'

type CheckpointMethods = 'checkpoints.save' | 'checkpoints.list' | 'checkpoints.read' | 'checkpoints.remove'

/** Handlers of `checkpoints.*`. */
export const checkpointHandlers = ({ checkpoints }: HandlerDeps): Handlers<CheckpointMethods> => ({
  'checkpoints.save': (input) => checkpoints.save(input),
  'checkpoints.list': ({ workflowId }) => checkpoints.list(workflowId),
  'checkpoints.read': async ({ workflowId, id }) => ({ document: await checkpoints.read(workflowId, id) }),
  'checkpoints.remove': async ({ workflowId, id }) => {
    await checkpoints.remove(workflowId, id)
    return {}
  },
})
