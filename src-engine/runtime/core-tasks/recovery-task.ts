/**
 * The task kind of the engine's own recovery runs. Not in the catalogue of kinds: no palette shows it and no
 * document of a user may have it; only the engine starts runs with it.
 */

import { z } from 'zod'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'
import type { TaskRun } from '../../tasks/task.ts'
import { completed } from '../../tasks/task.ts'
import type { Recovery } from '../recovery.ts'
import type { TaskHost } from '../task-host.ts'

/** The kind's name in documents. */
export const recoveryTaskKind = 'core-recovery'

const parameters = z.object({ what: z.enum(['pending', 'running']) })

type RecoveryParameters = z.infer<typeof parameters>

const recoverySpec = {
  kind: recoveryTaskKind,
  title: 'Recover',
  description: 'Gives work that its runner will never end to another one.',
  icon: 'life-buoy',
  category: 'flow',
  keywords: [],
  parameters,
  defaults: { what: 'running' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'idempotent',
  execution: 'runner',
  summary: ({ what }) => (what === 'pending' ? 'recover pending' : 'recover running'),
} satisfies TaskSpec<RecoveryParameters>

/** The host with the engine's own kind; `recovery` is asked for when such a task runs. */
export function withRecoveryTask(host: TaskHost, recovery: () => RecoveryWork): TaskHost {
  const run = createRecoveryRun(recovery)
  const specsByKind = new Map<string, TaskSpec>([...host.specsByKind, [recoveryTaskKind, recoverySpec]])
  return {
    ...host,
    specsByKind,
    runOf: (kind) => (kind === recoveryTaskKind ? (run as TaskRun<unknown>) : host.runOf(kind)),
  }
}

/** What the task uses. */
export interface RecoveryWork {
  readonly recovery: Recovery
  /** Something became available. */
  readonly poke: () => void
}

function createRecoveryRun(work: () => RecoveryWork): TaskRun<RecoveryParameters> {
  return {
    execute: async ({ what }, { log }) => {
      const { recovery, poke } = work()
      const { taken } =
        what === 'pending'
          ? await recovery.recoverPending()
          : await recovery.recoverLost(await recovery.deadRunners('stale'))
      for (const id of taken) log({ level: 'info', stream: 'task', text: `recovered ${id}` })
      if (taken.length > 0) poke()
      return completed({ recovered: [...taken] })
    },
  }
}
