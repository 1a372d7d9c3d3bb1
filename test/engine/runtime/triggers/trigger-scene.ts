/** Engines in virtual time whose triggers start runs: publishing, looking, and what became of each occurrence. */

import type { Register } from '../../../../src-engine/model/checkpoint.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { FiringRecord, TriggerRecord } from '../../../../src-engine/model/trigger.ts'
import { firingPrefix, readFiring, readTrigger, triggerPrefix } from '../../../../src-engine/model/trigger.ts'
import type { WorkflowDocument, WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import type { Page } from '../../../../src-engine/store/store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

export type Triggers = Readonly<Record<string, WorkflowTrigger>>

/** A workflow of one step that the test ends. */
export const withTriggers = (triggers: Triggers, more: JsonObject = {}): WorkflowDocument =>
  documentOf({ nodes: { a: { kind: 'noop' } }, triggers, ...more } as unknown as JsonObject)

/** Starts with every event of a name. */
export const onEvent = (name: string, parameters: JsonObject = {}): WorkflowTrigger => ({
  kind: 'event',
  parameters: { name, ...parameters },
})

/** A schedule; `every` minute unless told otherwise. */
export const cron = (expression = '* * * * *', parameters: JsonObject = {}): WorkflowTrigger => ({
  kind: 'cron',
  parameters: { expression, ...parameters },
})

export class TriggerScene extends EnginesScene {
  override looksSeldom = true
  /** Engines that do the chores. */
  async launchAll(count: number, settings: SettingValues = {}): Promise<void> {
    for (let made = 0; made < count; made += 1) await this.launch(settings, { canRunAtomicService: true })
  }

  async publish(document: WorkflowDocument, engine = 0): Promise<void> {
    const chosen = this.engines[engine]
    if (chosen === undefined) throw new Error(`there is no engine ${engine}`)
    await this.within(chosen.publishing.publish({ document, baseDirectory: null }))
  }

  /** Tells an event from outside. */
  async emit(name: string, payload: JsonValue = {}, messageId: string | null = null): Promise<void> {
    const [engine] = this.engines
    if (engine === undefined) throw new Error('there is no engine')
    await this.within(engine.emitEvent({ name, payload, messageId, correlation: null, runId: null }))
  }

  /** What triggered runs began with, oldest first. */
  async inputs(): Promise<readonly JsonValue[]> {
    return (await this.triggered()).map(({ input }) =>
      input.kind === 'inline' ? (JSON.parse(input.json) as JsonValue) : null,
    )
  }

  /** Goes on until the clock shows a time of the day on which the world began. */
  async until(time: string): Promise<void> {
    await this.pass(Date.parse(`1970-01-01T${time}Z`) - this.world.now)
  }

  async triggers(): Promise<readonly TriggerRecord[]> {
    const filter = { prefix: triggerPrefix }
    const page = { after: null, limit: 200 }
    const found = await this.store.list(0, 'registers', { filter, page })
    return found.flatMap(({ value }) => readTrigger(value) ?? [])
  }

  /** Oldest first. */
  async firings(): Promise<readonly FiringRecord[]> {
    const all: FiringRecord[] = []
    for (let after: string | null = null; ; ) {
      const page: Page = { after, limit: 200 }
      const filter = { prefix: firingPrefix }
      const found: readonly Register[] = await this.store.list(0, 'registers', { filter, page })
      all.push(...found.flatMap(({ value }) => readFiring(value) ?? []))
      after = found.at(-1)?.key ?? null
      if (found.length < page.limit) return all.reverse()
    }
  }

  /** In short: `12:05` for a run that started, `12:05 missed` for none, `12:00-12:04 missed` for a stretch. */
  async told(): Promise<readonly string[]> {
    const time = (at: number): string => new Date(at).toISOString().slice(11, 16)
    return (await this.firings()).map(({ slots, reason }) => {
      if (slots === null) return reason ?? 'started'
      const when = slots.count === 1 ? time(slots.to) : `${time(slots.from)}-${time(slots.to)}`
      return reason === null ? when : `${when} ${reason}`
    })
  }

  /** Runs that triggers started, oldest first. */
  async triggered(): Promise<readonly RunRecord[]> {
    const filter = { statuses: null, workflowId: null, includeCore: false }
    const all: RunRecord[] = []
    for (let after: string | null = null; ; ) {
      const page: Page = { after, limit: 200 }
      const found: readonly RunRecord[] = await this.store.list(0, 'runs', { filter, page })
      all.push(...found.filter(({ cause }) => cause.kind.startsWith('trigger:')))
      after = found.at(-1)?.id ?? null
      if (found.length < page.limit) return all.reverse()
    }
  }
}
