/** The world around the engines of a month: who publishes, tells events, calls, and writes files. */

import { createHmac } from 'node:crypto'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Millis } from '../../../src-engine/model/time.ts'
import { hour, minute } from '../../../src-engine/model/time.ts'
import type { WorkflowDocument, WorkflowTrigger } from '../../../src-engine/model/workflow.ts'
import { documentOf } from '../../engine/model/workflow-fixture.ts'
import { conditionEvents, joints } from './joints.ts'
import type { Machine, Machines } from './machines.ts'
import type { MonthPlan, Publication, Told } from './plan.ts'
import type { MonthStage } from './stage.ts'

const scheduled = 'scheduled'
const listening = 'listening'

/** Who has no answer by then asks again, perhaps somebody else. */
const patienceMs: Millis = hour
const secret = 'between us'

export class Outside {
  /** Numbers of what was answered: it must have its effect. */
  readonly answeredEvents = new Set<number>()
  readonly answeredCalls = new Set<number>()
  readonly #stage: MonthStage
  readonly #machines: Machines
  #published = -1

  constructor(stage: MonthStage, machines: Machines) {
    this.#stage = stage
    this.#machines = machines
  }

  /** Plans all that is told; the publications begin at once. */
  plan(): void {
    const { world, plan, folder } = this.#stage
    for (const document of [documentOfListeners(plan), documentOfJoints(), documentOfFollower(plan)])
      this.#publish(document, () => true)
    for (const [index, { at, schedules }] of plan.publications.entries())
      world.at(at, () => {
        this.#published = index
        this.#publish(documentOfSchedules(schedules), () => this.#published === index)
      })
    for (const event of plan.events) this.#later(event, (told) => this.#emit(told))
    for (const call of plan.calls) this.#later(call, (told) => this.#call(told))
    for (const { at, path, stamp } of plan.files)
      world.at(at, () => {
        if (stamp === null) folder.delete(path)
        else folder.set(path, stamp)
      })
  }

  #later(told: Told, tell: (told: Told) => void): void {
    const { world } = this.#stage
    world.at(told.at, () => tell(told))
    if (told.againAt !== null) world.at(told.againAt, () => tell(told))
  }

  /** Asks somebody until there is an answer, or it is no longer wanted. */
  #ask(ask: (machine: Machine) => Promise<void>, isWanted: () => boolean = () => true): void {
    const { world, random } = this.#stage
    const machine = this.#machines.awake(random)
    const again = (after: Millis): void => {
      world.at(world.now + after, () => {
        if (isWanted()) this.#ask(ask, isWanted)
      })
    }
    if (machine === null) {
      again(10 * minute)
      return
    }
    let settled = false
    ask(machine).then(
      () => {
        if (machine.process.alive) settled = true
      },
      () => {
        settled = true
        again(minute)
      },
    )
    world.at(world.now + patienceMs, () => {
      if (!settled && isWanted()) this.#ask(ask, isWanted)
    })
  }

  #publish(document: WorkflowDocument, isWanted: () => boolean): void {
    this.#ask(async ({ engine }) => {
      await engine.publishing.publish({ document, baseDirectory: null })
    }, isWanted)
  }

  #emit({ number, name, kind }: Told): void {
    this.#ask(async ({ engine, process }) => {
      const request = { name, payload: { number, kind }, correlation: null, runId: null }
      await engine.emitEvent({ ...request, messageId: `message-${number}` })
      if (process.alive) this.answeredEvents.add(number)
    })
  }

  #call({ number }: Told): void {
    const body = Buffer.from(JSON.stringify({ number }))
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    const to = { id: number, tokenHash: '', method: 'POST', path: '/', query: '', remote: '192.0.2.1' }
    const call = { ...to, headers, bodyBase64: body.toString('base64') }
    const name = { workflowId: listening as WorkflowDocument['id'], triggerId: 'called' }
    this.#ask(async ({ engine, process }) => {
      const { signal } = new AbortController()
      const answer = await engine.webhooks.answer({ name, call, signal }, async () => secret)
      if (answer.status !== 200 && answer.status !== 202) throw new Error(`answered ${answer.status}`)
      if (process.alive) this.answeredCalls.add(number)
    })
  }
}

const withTriggers = (id: string, triggers: Readonly<Record<string, WorkflowTrigger>>): WorkflowDocument =>
  documentOf({ id, nodes: { a: { kind: 'noop' } }, triggers } as unknown as JsonObject)

function documentOfSchedules(schedules: Publication): WorkflowDocument {
  const triggers = Object.entries(schedules).flatMap(([id, text]) =>
    text === null ? [] : [[id, cronTrigger(text)] as const],
  )
  return withTriggers(scheduled, Object.fromEntries(triggers))
}

const cronTrigger = ({ title, parameters }: NonNullable<Publication[string]>): WorkflowTrigger =>
  ({ kind: 'cron', title, parameters }) as unknown as WorkflowTrigger

function documentOfListeners({ listeners }: MonthPlan): WorkflowDocument {
  const events = Object.entries(listeners).map(([id, { name, filter, gathers }]) => {
    const parameters = { name, ...(filter === null ? {} : { filter }), ...gathers }
    return [id, { kind: 'event', parameters }] as const
  })
  const called = { kind: 'webhook', parameters: { path: 'orders', auth: { kind: 'github', secret: 's' } } }
  const on = ['add', 'change', 'remove']
  const watched = {
    kind: 'file-watch',
    parameters: { folder: '/in', pattern: '*.csv', on, settleMs: minute },
  }
  return withTriggers(listening, {
    ...Object.fromEntries(events),
    called,
    watched,
  })
}

function documentOfJoints(): WorkflowDocument {
  const conditions = Object.entries(conditionEvents).map(
    ([id, name]) => [id, { kind: 'event', parameters: { name } }] as const,
  )
  const composites = Object.entries(joints).map(
    ([id, parameters]) => [id, { kind: 'composite', parameters }] as const,
  )
  return withTriggers('joining', Object.fromEntries([...conditions, ...composites]))
}

function documentOfFollower({ watched }: MonthPlan): WorkflowDocument {
  const statuses = ['SUCCEEDED', 'CANCELLED', 'FAILED', 'TIMED_OUT', 'ABANDONED']
  return withTriggers('following', {
    after: { kind: 'run-status', parameters: { workflow: watched, statuses } },
  })
}
