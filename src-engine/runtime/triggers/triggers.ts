/** The triggers of an engine, put together. */

import type { EmittedEvent } from '../../model/effect.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import type { Ids } from '../../model/ports.ts'
import type { SourceProblem } from '../../model/trigger.ts'
import type { Admission } from '../admission.ts'
import type { RunControls } from '../controls/run-controls.ts'
import type { Definitions } from '../definitions.ts'
import type { Locks } from '../locks/locks.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { RunnerDependencies } from '../runner.ts'
import type { RunStarter } from '../starting/run-starter.ts'
import { createTriggerCatalogue } from './catalogue.ts'
import { createTriggerDesk } from './create-trigger-desk.ts'
import { createCronPlans } from './cron-kind.ts'
import type { DueTriggers } from './due-triggers.ts'
import { createDueTriggers } from './due-triggers.ts'
import { hearEvent } from './event-triggers.ts'
import type { Publication } from './registration.ts'
import { registerTriggers } from './registration.ts'
import { createRunHistory } from './run-history.ts'
import type { TriggerDesk } from './trigger-desk.ts'
import { forgetTriggerRecords } from './trigger-retention.ts'

export interface TriggersParts {
  readonly dependencies: Pick<
    RunnerDependencies,
    'store' | 'partition' | 'clock' | 'log' | 'executor' | 'settings'
  >
  readonly ids: Ids
  readonly starter: RunStarter
  readonly definitions: Definitions
  readonly payloads: PayloadStore
  readonly admission: Admission
  readonly controls: RunControls
  readonly locks: Locks
  /** Why folders can't be read on this machine, by the keys of their triggers. */
  readonly folderProblems: ReadonlyMap<string, SourceProblem>
  /** What is due may be due earlier now. */
  readonly changed: () => void
}

export interface Triggers {
  /** What the chores decide. */
  readonly due: DueTriggers
  /** Starts what an event is to start; repeating it changes nothing. */
  readonly hear: (event: EmittedEvent) => Promise<void>
  readonly desk: TriggerDesk
  /** Deletes records that are over their age or number. */
  readonly forgetOld: () => Promise<number>
  /** From now on the workflow's triggers are those of this document. */
  readonly published: (publication: Publication) => Promise<void>
  /** Resolves when triggers on runs have seen all that has happened: from then on it may be forgotten. */
  readonly caughtUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function createTriggers(given: TriggersParts): Triggers {
  const { dependencies, controls, changed: dueChanged, ...others } = given
  const cancelRun = cancelling(controls)
  const catalogue = createTriggerCatalogue(dependencies)
  const { host } = dependencies.executor
  const parts = { ...dependencies, ...others, cancelRun, catalogue, host, plans: createCronPlans() }
  const history = createRunHistory(parts)
  const changed = (): void => {
    dueChanged()
    history.look()
  }
  const due = createDueTriggers(parts)
  return {
    // Whoever does the chores has them look at what happened, too.
    due: {
      ...due,
      refresh: async () => {
        await due.refresh()
        history.start()
        history.look()
      },
    },
    desk: createTriggerDesk({ ...parts, changed }),
    forgetOld: () => forgetTriggerRecords(parts, dependencies.settings),
    hear: (event) => hearEvent({ ...parts, changed }, event),
    published: async (publication) => {
      if (await registerTriggers(parts, publication)) changed()
    },
    caughtUp: () => history.catchUp(),
    stop: () => history.stop(),
  }
}

const cancelling =
  ({ control }: RunControls) =>
  async (runId: RunId): Promise<void> => {
    const [action, reason] = ['cancel', 'the next of its schedule was due'] as const
    try {
      await control({ runId, action, nodeId: null, by: 'trigger', reason, wait: false })
    } catch (thrown) {
      // It came to its end by itself.
      if (recordOfThrown(thrown).code !== 'run_already_final') throw thrown
    }
  }
