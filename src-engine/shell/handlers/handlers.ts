/** The handlers of all methods, put together from their groups. */

import { approvalHandlers } from './approvals.ts'
import { auditHandlers } from './audit.ts'
import { checkpointHandlers } from './checkpoints.ts'
import { circuitHandlers } from './circuits.ts'
import { clusterHandlers } from './clusters.ts'
import type { HandlerDeps, Handlers } from './contract.ts'
import { crashHandlers } from './crash.ts'
import { customTaskHandlers } from './custom-tasks.ts'
import { deadLetterHandlers } from './dead-letters.ts'
import { draftHandlers } from './drafts.ts'
import { expressionHandlers } from './expressions.ts'
import { historyHandlers } from './history.ts'
import { infoHandlers } from './info.ts'
import { libraryHandlers } from './library.ts'
import { outputHandlers } from './outputs.ts'
import { payloadHandlers } from './payloads.ts'
import { pictureHandlers } from './pictures.ts'
import { policyHandlers } from './policy.ts'
import { rehearsalHandlers } from './rehearsal.ts'
import { runnerHandlers } from './runners.ts'
import { runHandlers } from './runs.ts'
import { sagaHandlers } from './saga.ts'
import { sampleHandlers } from './samples.ts'
import { sealHandlers } from './sealing.ts'
import { secretHandlers } from './secrets.ts'
import { settingHandlers } from './settings.ts'
import { teleportHandlers } from './teleport.ts'
import { workflowTestHandlers } from './tests.ts'
import { triggerHandlers } from './triggers.ts'
import { trustHandlers } from './trust.ts'
import { webhookHandlers } from './webhooks.ts'
import { workflowHandlers } from './workflows.ts'

/** All methods of the engine. */
export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...infoHandlers(deps),
    ...settingHandlers(deps),
    ...workflowHandlers(deps),
    ...runHandlers(deps),
    ...crashHandlers(deps),
    ...runnerHandlers(deps),
    ...approvalHandlers(deps),
    ...auditHandlers(deps),
    ...historyHandlers(deps),
    ...sagaHandlers(deps),
    ...pictureHandlers(),
    ...policyHandlers(deps),
    ...deadLetterHandlers(deps),
    ...outputHandlers(deps),
    ...payloadHandlers(deps),
    ...expressionHandlers(deps),
    ...customTaskHandlers(deps),
    ...rehearsalHandlers(deps),
    ...workflowTestHandlers(deps),
    ...libraryHandlers(deps),
    ...sampleHandlers(deps),
    ...draftHandlers(deps),
    ...checkpointHandlers(deps),
    ...secretHandlers(deps),
    ...sealHandlers(deps),
    ...clusterHandlers(deps),
    ...teleportHandlers(deps),
    ...trustHandlers(deps),
    ...triggerHandlers(deps),
    ...webhookHandlers(deps),
    ...circuitHandlers(deps),
  }
}
