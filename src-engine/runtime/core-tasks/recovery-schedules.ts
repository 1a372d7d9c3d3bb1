/** The engine's own workflows, and the crons on which they run. */

import { nodeId, workflowId } from '../../model/ids.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { documentFormat, documentSchemaVersion } from '../../model/workflow.ts'
import { recoveryTaskKind } from './recovery-task.ts'

/** A workflow that runs on a cron. */
export interface CoreSchedule {
  readonly expression: string
  readonly document: WorkflowDocument
}

/** Recovery of what never began, and of what its runner left behind. */
export function recoverySchedules(settings: EngineSettings): readonly CoreSchedule[] {
  return [
    { expression: settings.recoverPendingCron, document: recoverPending },
    { expression: settings.recoverRunningCron, document: recoverRunning },
  ]
}

const recoverPending = recoveryDocument('pending', 'Recover steps that never began')
const recoverRunning = recoveryDocument('running', 'Recover steps of dead runners')

function recoveryDocument(what: 'pending' | 'running', title: string): WorkflowDocument {
  return {
    format: documentFormat,
    schemaVersion: documentSchemaVersion,
    id: workflowId(`core.recover-${what}`),
    title,
    nodes: {
      [nodeId('recover')]: {
        kind: recoveryTaskKind,
        parameters: { what },
        // Never two at once, whatever started them.
        concurrency: { running: 'TASK', limit: 1, onFull: 'final', onFinal: 'skip' },
      },
    },
    edges: {},
  }
}
